package envoytest

// Seen is a request as a backend received it.
type Seen struct {
	Backend, Method, Path, Host string
	Headers                     []Header
}
