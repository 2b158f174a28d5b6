// Package conformance runs the official conformance suite of the Gateway API, as it is, on the renderer and a real Envoy.
//
//	suite ─ client ─ settle_test.go ─ api, or a real kube-apiserver
//	                 └ cluster (pods, endpoints), controller (render, status) ─ fleet (Envoys)
//	suite ─ requests ─ Envoys ─ echo servers of the pods
//
// Every write of the suite is answered once everything that follows from it has happened: pods run, Envoys serve, statuses are
// written. So nothing waits for time to pass, and a request that must fail cannot come before the change that makes it fail.
//
// The controller decides nothing (package controller), and the API in the process decides nothing about routes (package api); with
// API=kube that one is a real kube-apiserver.
package conformance
