// Package kube runs a real kube-apiserver with its etcd, as one program in the place of the API in the process.
//
// In come the two programs that `make kube-apiserver` builds; out goes a configuration for clients that may do all. No controller of
// Kubernetes runs beside them: nothing becomes a pod by itself.
package kube

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// patience is for a busy machine; on an idle one the servers are ready after four seconds.
const patience = 3 * time.Minute

// token is that of the only user. The server is reached from this machine only, for as long as the tests run.
const token = "conformance"

// Server is a running kube-apiserver.
type Server struct {
	Config     *rest.Config
	directory  string
	advertised netip.Addr
	processes  []*process
}

// process is one of the two programs.
type process struct {
	command *exec.Cmd
	// exited is closed when it has ended.
	exited chan struct{}
}

// Start runs the programs of a folder; their data and logs stand in directory. The server says of itself that it is reached at an
// address, which must be one of this machine's and no loopback's.
func Start(ctx context.Context, programs, directory string, advertised netip.Addr) (*Server, error) {
	s := &Server{directory: directory, advertised: advertised}
	if err := s.start(ctx, programs); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, programs string) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	client, peer, secure := ports[0], ports[1], ports[2]
	if err := s.run(filepath.Join(programs, "etcd"), etcdArguments(s.directory, client, peer)); err != nil {
		return err
	}
	if err := writeCredentials(s.directory); err != nil {
		return err
	}
	if err := s.run(filepath.Join(programs, "kube-apiserver"), s.serverArguments(client, secure)); err != nil {
		return err
	}
	s.Config = &rest.Config{
		Host: "https://" + address(secure), QPS: -1, BearerToken: token,
		// Its certificate is one that it has signed itself.
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		ContentConfig:   rest.ContentConfig{ContentType: "application/json", AcceptContentTypes: "application/json"},
	}
	return s.waitReady(ctx)
}

func etcdArguments(directory string, client, peer int) []string {
	return []string{
		"--data-dir", filepath.Join(directory, "etcd"),
		"--listen-client-urls", "http://" + address(client), "--advertise-client-urls", "http://" + address(client),
		"--listen-peer-urls", "http://" + address(peer), "--initial-advertise-peer-urls", "http://" + address(peer),
		"--initial-cluster", "default=http://" + address(peer), "--unsafe-no-fsync", "--log-level", "error",
	}
}

func (s *Server) serverArguments(etcd, secure int) []string {
	key := filepath.Join(s.directory, "service-account.key")
	return []string{
		"--etcd-servers", "http://" + address(etcd), "--bind-address", "127.0.0.1", "--secure-port", strconv.Itoa(secure),
		"--advertise-address", s.advertised.String(),
		"--cert-dir", filepath.Join(s.directory, "certificates"), "--token-auth-file", filepath.Join(s.directory, "tokens.csv"),
		"--service-account-issuer", "https://kubernetes.default.svc",
		"--service-account-key-file", key, "--service-account-signing-key-file", key,
		"--service-cluster-ip-range", "10.0.0.0/16", "--authorization-mode", "RBAC",
		// Without a controller that makes service accounts, no pod would be admitted.
		"--disable-admission-plugins", "ServiceAccount",
	}
}

// writeCredentials writes the user, and the key for the tokens of service accounts, without which the server does not start.
func writeCredentials(directory string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	encoded := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return errors.Join(
		os.WriteFile(filepath.Join(directory, "service-account.key"), encoded, 0o600),
		os.WriteFile(filepath.Join(directory, "tokens.csv"), []byte(token+`,admin,1,"system:masters"`+"\n"), 0o600),
	)
}

// run starts a program with a log of its own.
func (s *Server) run(program string, arguments []string) error {
	log, err := os.Create(filepath.Join(s.directory, filepath.Base(program)+".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(program, arguments...)
	command.Stdout, command.Stderr = log, log
	command.Dir = s.directory
	if err := command.Start(); err != nil {
		return err
	}
	started := &process{command: command, exited: make(chan struct{})}
	go func() {
		// How it ended shows in its log.
		_ = command.Wait()
		close(started.exited)
	}()
	s.processes = append(s.processes, started)
	return nil
}

func (s *Server) waitReady(ctx context.Context) error {
	clients, err := kubernetes.NewForConfig(s.Config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		_, err := clients.RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.processes[0].exited:
			return fmt.Errorf("etcd has ended: %s", s.log("etcd"))
		case <-s.processes[1].exited:
			return fmt.Errorf("kube-apiserver has ended: %s", s.log("kube-apiserver"))
		case <-ctx.Done():
			return fmt.Errorf("kube-apiserver does not get ready: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// log is the end of what a program has printed.
func (s *Server) log(program string) string {
	data, err := os.ReadFile(filepath.Join(s.directory, program+".log"))
	if err != nil {
		return err.Error()
	}
	const most = 4000
	return string(data[max(0, len(data)-most):])
}

// Close kills the programs: nothing of them is needed any more.
func (s *Server) Close() error {
	var failed error
	for _, p := range s.processes {
		if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			failed = errors.Join(failed, err)
		}
		<-p.exited
	}
	return failed
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// freePorts finds ports that nobody has now.
func freePorts(count int) ([]int, error) {
	var ports []int
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		// Open until all are found, so that no two are the same.
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
