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

// inside marks the process that runs in a network of its own.
const inside = "ROUTEDELTA_CONFORMANCE_NAMESPACE"

// ownBlock is what lo has in a network of our own, beside 127.0.0.0/8.
var ownBlock = [2]byte{10, 77}

func isolated() bool { return os.Getenv(inside) != "" }

// Prepare makes sure that this process may open ports below 1024, and with own that it has addresses which are those of no loopback.
// Where that is not so, the program is run again in a network of its own, in which it is root (user_namespaces(7)), and this
// process ends with the exit code of that one.
func Prepare(own bool) error {
	if isolated() {
		if err := setUpLoopback(); err != nil {
			return fmt.Errorf("setting up lo: %w", err)
		}
		return nil
	}
	if own || !lowPorts() {
		return runIsolated()
	}
	return nil
}

// lowPorts tells whether ports below 1024 may be opened.
func lowPorts() bool {
	listener, err := net.Listen("tcp4", "127.255.255.253:1")
	if err != nil {
		return !errors.Is(err, os.ErrPermission)
	}
	return listener.Close() == nil
}

func runIsolated() error {
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
		return fmt.Errorf("running in a network of our own: %w", err)
	}
	os.Exit(command.ProcessState.ExitCode())
	return nil
}

// setUpLoopback does what `ip link set lo up; ip address add 10.77.0.1/16 dev lo` does: a new network has its loopback down. Every
// address of a block that lo has is this machine's.
func setUpLoopback() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	up := newRequest("lo")
	*(*uint16)(unsafe.Pointer(&up.value)) = syscall.IFF_UP | syscall.IFF_RUNNING
	// struct sockaddr_in of ip(7): the family, a port that means nothing here, the address.
	address, mask := newRequest("lo:1"), newRequest("lo:1")
	*(*uint16)(unsafe.Pointer(&address.value)) = syscall.AF_INET
	copy(address.value[4:], []byte{ownBlock[0], ownBlock[1], 0, 1})
	*(*uint16)(unsafe.Pointer(&mask.value)) = syscall.AF_INET
	copy(mask.value[4:], []byte{255, 255, 0, 0})
	return errors.Join(
		up.send(socket, syscall.SIOCSIFFLAGS), address.send(socket, syscall.SIOCSIFADDR), mask.send(socket, syscall.SIOCSIFNETMASK),
	)
}

// request is struct ifreq of netdevice(7): the name of an interface, then what is said of it.
type request struct {
	name  [syscall.IFNAMSIZ]byte
	value [24]byte
}

func newRequest(name string) *request {
	r := &request{}
	copy(r.name[:], name)
	return r
}

func (r *request) send(socket int, operation uintptr) error {
	_, _, number := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), operation, uintptr(unsafe.Pointer(r)))
	if number != 0 {
		return fmt.Errorf("ioctl %#x: %w", operation, number)
	}
	return nil
}
