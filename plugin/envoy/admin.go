package envoy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/render/files"
)

// maxAnswer bounds what is read of one answer. The statistics of 10,000 clusters that pass the filter are a few MB.
const maxAnswer = 256 << 20

// Admin is the admin interface of a running Envoy.
type Admin struct {
	address string
	base    string
	client  *http.Client
}

// NewAdmin makes a client for http://HOST:PORT or unix:PATH. It connects to nothing yet.
func NewAdmin(address string) (*Admin, error) {
	if path, ok := strings.CutPrefix(address, "unix:"); ok && path != "" {
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}
		return &Admin{address: address, base: "http://admin", client: &http.Client{Transport: &http.Transport{DialContext: dial}}}, nil
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" || parsed.Host == "" || strings.Trim(parsed.Path, "/") != "" || parsed.RawQuery != "" {
		return nil, fmt.Errorf("the admin interface %q is neither http://HOST:PORT nor unix:PATH", address)
	}
	// The environment may name a proxy, which is not asked: the interface is beside us, and its answers are for nobody else.
	return &Admin{address: address, base: "http://" + parsed.Host, client: &http.Client{Transport: &http.Transport{}}}, nil
}

// adminOf is the admin interface that a bootstrap opens, for who is on the same machine. A socket's path begins at the directory in
// which Envoy was started.
func adminOf(set *files.Set, dir string) (*Admin, error) {
	address := set.Bootstrap.GetAdmin().GetAddress()
	socket, pipe := address.GetSocketAddress(), address.GetPipe().GetPath()
	switch {
	case pipe != "" && !filepath.IsAbs(pipe):
		return NewAdmin("unix:" + filepath.Join(dir, pipe))
	case pipe != "":
		return NewAdmin("unix:" + pipe)
	case socket.GetPortValue() == 0:
		return nil, ErrNoAdmin
	}
	host := socket.GetAddress()
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return NewAdmin("http://" + net.JoinHostPort(host, strconv.Itoa(int(socket.GetPortValue()))))
}

// ErrNoAdmin is the error for an Envoy that nobody can ask.
var ErrNoAdmin = errors.New("the bootstrap opens no admin interface: without Envoy's word for each step requests are lost")

// UnavailableError says that Envoy does not answer.
type UnavailableError struct {
	Address string
	Err     error
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("the admin interface %s does not answer: %v", e.Address, e.Err)
}
func (e *UnavailableError) Unwrap() error { return e.Err }

// Hint tells what to do about it.
func (e *UnavailableError) Hint() string {
	return "name the one of the Envoy that runs in the directory (--admin), or install while none runs (--offline)"
}

// ask gives the answer to a path.
func (a *Admin) ask(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, &UnavailableError{Address: a.address, Err: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, &UnavailableError{Address: a.address, Err: err}
	}
	if response.StatusCode != http.StatusOK {
		return nil, &UnavailableError{Address: a.address, Err: fmt.Errorf("%s to %s", response.Status, path)}
	}
	return body, nil
}

// askJSON reads the answer to a path.
func (a *Admin) askJSON(ctx context.Context, path string, into any) error {
	body, err := a.ask(ctx, path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return &UnavailableError{Address: a.address, Err: fmt.Errorf("it is no answer of Envoy to %s: %w", path, err)}
	}
	return nil
}

// Ready is nil once Envoy serves.
func (a *Admin) Ready(ctx context.Context) error {
	_, err := a.ask(ctx, "/ready")
	return err
}

// node is who the Envoy says it is, "" for what its command line sets: that says nothing of its files.
func (a *Admin) node(ctx context.Context) (id, cluster string, err error) {
	var answer struct {
		Node        struct{ ID, Cluster string } `json:"node"`
		CommandLine struct {
			Node    string `json:"service_node"`
			Cluster string `json:"service_cluster"`
		} `json:"command_line_options"`
	}
	if err := a.askJSON(ctx, "/server_info", &answer); err != nil {
		return "", "", err
	}
	id, cluster = answer.Node.ID, answer.Node.Cluster
	if answer.CommandLine.Node != "" {
		id = ""
	}
	if answer.CommandLine.Cluster != "" {
		cluster = ""
	}
	return id, cluster, nil
}

// listenerErrors are the reasons for which listeners were refused, by their names.
func (a *Admin) listenerErrors(ctx context.Context) (map[string]string, error) {
	var answer struct {
		Configs []struct {
			Name  string `json:"name"`
			Error struct {
				Details string `json:"details"`
			} `json:"error_state"`
		} `json:"configs"`
	}
	if err := a.askJSON(ctx, "/config_dump?resource=dynamic_listeners", &answer); err != nil {
		return nil, err
	}
	refused := map[string]string{}
	for _, listener := range answer.Configs {
		if listener.Error.Details != "" {
			refused[listener.Name] = listener.Error.Details
		}
	}
	return refused, nil
}
