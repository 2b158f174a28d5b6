package loopback

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"unsafe"
)

// inside marks the process that runs in the namespace that AllowLowPorts makes.
const inside = "ROUTEDELTA_CONFORMANCE_NAMESPACE"

// AllowLowPorts makes sure that this process may open ports below 1024. Where it may not, the program is run again in a network of
// its own, in which it is root (user_namespaces(7)), and this process ends with the exit code of that one.
func AllowLowPorts() error {
	if os.Getenv(inside) != "" {
		if err := bringUpLoopback(); err != nil {
			return fmt.Errorf("bringing up lo: %w", err)
		}
	}
	listener, err := net.Listen("tcp4", "127.255.255.253:1")
	if err == nil {
		return listener.Close()
	}
	// A port that is in use may be opened.
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil
	}
	if os.Getenv(inside) != "" || !errors.Is(err, os.ErrPermission) {
		return err
	}
	return runInNamespace()
}

func runInNamespace() error {
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.Command(executable, os.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Env = append(os.Environ(), inside+"=1")
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	err = command.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return fmt.Errorf("running in a namespace: %w", err)
	}
	os.Exit(command.ProcessState.ExitCode())
	return nil
}

// bringUpLoopback does what `ip link set lo up` does: a new network has its loopback interface down.
func bringUpLoopback() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	// struct ifreq of netdevice(7): the name of the interface, then its flags.
	request := struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(request.name[:], "lo")
	_, _, number := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
	if number != 0 {
		return number
	}
	return nil
}
