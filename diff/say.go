package diff

import "github.com/routedelta/routedelta/diff/table"

// RuleMatch is what a rule asks for, in words: "/orders/*, header x-env: canary".
func RuleMatch(r *table.Rule) string { return ruleMatch(r) }

// CurlCommand is the command line that sends a request to the listener of a table.
func CurlCommand(t *table.Table, r table.Request) string {
	return curl{request: r, port: t.Port, ignorePort: t.Options.IgnoreHostPort || t.Options.StripAnyHostPort}.String()
}
