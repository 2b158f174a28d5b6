package files

// Every type that may stand packed in an Envoy file is linked in: other people's bootstraps hold any of them.
//
//go:generate go run ./internal/typesgen types_gen.go
