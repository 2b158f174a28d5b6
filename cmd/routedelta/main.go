// Command routedelta renders Gateway API manifests into Envoy files, and says which requests a change moves.
//
//	routedelta render [PATH...] [-o DIR] [--status FILE]
//	routedelta apply RENDERING --to DIR [--watch]
//	routedelta diff BEFORE AFTER | diff --base REVISION [PATH]
//	routedelta init [DIR]
//	routedelta check [PATH...]
//	routedelta show REPORT
//	routedelta comment --repo OWNER/NAME --pr N --report FILE
//	routedelta report [PATH]            (in a GitHub workflow; routedelta action is what action.yml runs)
//	routedelta fn < ResourceList        (also without arguments)
//	routedelta cmp {discover,parameters,generate}
//
// Findings go to standard output, everything else to standard error. Exit codes: 0 nothing to report, 1 findings where
// --exit-code asks for it, or forbidden by the policy, 2 bad input or usage, 3 not decided, 4 the outside (git, GitHub) failed.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A closed pipe becomes an error of the write, so that it is reported like any other and nothing is left half done.
	signal.Ignore(syscall.SIGPIPE)
	collectLate()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv})
	stop()
	os.Exit(code)
}
