// Package hostile holds the program to what it promises about strangers. Its tests run the real one, as a workflow does, on pull requests
// that are made to do harm.
//
// In come the inputs of testdata/hostile, a file each: what the stranger does, the tree before, the tree after, and what must hold of the
// answer (hostile_test.go). What holds of every run, whatever the input, is checked behind each: nothing ran (world_test.go), no token and no
// file got out, nothing was asked for or posted elsewhere, nothing was left behind, time and memory were within bounds (run_test.go), and
// what was printed is text to whoever reads it: a terminal, the runner (runner_test.go), Markdown (markdown_test.go), a browser, code scanning
// (page_test.go). Out comes the table of docs/security.md.
package hostile
