// Command oracle asks a real kube-apiserver what it makes of the probes of render/schema/schematest, and keeps the answers as the
// goldens that the tests of render/schema are held to.
//
//	probes ─ ask (dryRun=All&fieldValidation=Strict) ─ answers ─ compare with the goldens, or rewrite them
//
// It starts the two servers, installs the definitions of the Gateway API's experimental channel, and stops them at the end:
//
//	make oracle-apiserver            what differs from the goldens?
//	make oracle-apiserver WRITE=1    rewrite them
package main
