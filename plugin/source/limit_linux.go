package source

import (
	"syscall"
	"unsafe"
)

// limitMemory bounds the address space of a program that has just been started. If it cannot, time is what bounds it.
func limitMemory(pid int, bytes uint64) {
	limit := syscall.Rlimit{Cur: bytes, Max: bytes}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_AS, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
}
