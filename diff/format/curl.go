package format

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

// CurlOptions say where the Envoys of the two sides listen: "host:port", "host" for the ports that the listeners have, or
// "unix:/path". "" leaves it to DNS.
type CurlOptions struct{ Before, After string }

// Curl writes the requests that show each class as a shell script to read, to run, or to paste from: one command a line, and
// before it, as comments, what it shows and what each side answers. Where a side has an address there is one command for
// each side, else the one command goes wherever DNS leads.
//
// All requests are sent by curl, those of gRPC too: grpcurl needs the description of a service and sends to its methods
// only, while a class may be of any path. What Envoy answers itself to such a request is 200 with a grpc-status.
func Curl(w io.Writer, r *report.Report, options CurlOptions) error {
	s := &script{words: textWords(r), report: r}
	var err error
	if s.before, err = addressOption(options.Before); err != nil {
		return err
	}
	if s.after, err = addressOption(options.After); err != nil {
		return err
	}
	s.comment("%s   %s -> %s", s.words.gatewayNames(r), revision(r.Before), revision(r.After))
	for i, c := range r.Classes {
		s.class(i+1, c)
	}
	for _, u := range r.Undecided {
		s.undecided(u)
	}
	s.WriteString("\n")
	s.comment("%s", Headline(r))
	_, err = io.WriteString(w, s.String())
	return err
}

// addressPattern holds nothing that a shell or curl would read as anything but an address.
var addressPattern = regexp.MustCompile(`^(?:unix:(/[A-Za-z0-9/._-]+)|([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?)$`)

// addressOption is the option of curl that connects to an address whatever the host of the URL, "" for no address.
func addressOption(address string) (string, error) {
	if address == "" {
		return "", nil
	}
	parts := addressPattern.FindStringSubmatch(address)
	if parts == nil {
		return "", fmt.Errorf("%q is no address of an Envoy: want HOST, HOST:PORT or unix:/PATH", address)
	}
	if parts[1] != "" {
		return "--unix-socket " + parts[1], nil
	}
	// Without a port curl keeps that of the URL.
	return "--connect-to '::" + parts[2] + cmp.Or(parts[3], ":") + "'", nil
}

type script struct {
	strings.Builder
	words  words
	report *report.Report
	// before and after are the options that lead to the Envoys of the two sides.
	before, after string
}

// comment is one line whatever the names in it hold.
func (s *script) comment(layout string, arguments ...any) {
	s.WriteString("# " + visible(fmt.Sprintf(layout, arguments...)) + "\n")
}

func (s *script) class(number int, c report.Class) {
	s.words.origins = sameOrigin(c)
	s.WriteString("\n")
	requests := s.words.requests(c, "; ")
	if where := s.words.where(s.report, c); where != "" {
		requests += " (" + where + ")"
	}
	s.comment("%d. %s: %s", number, c.Severity, requests)
	if len(c.Witnesses) == 0 {
		before, after := s.words.change(c)
		s.comment("before: %s, after: %s: no single request is known that shows it", before, after)
	}
	for _, witness := range c.Witnesses {
		for _, condition := range witness.Holds {
			s.comment("only if %s, which no client decides", condition)
		}
		before, after := s.answers(c, witness)
		s.witness(witness, before, after)
	}
}

// answers are what both sides answer to a witness. Where they come from the same backend, what else differs is said too.
func (s *script) answers(c report.Class, witness report.Witness) (before, after string) {
	w := s.words
	before, after = w.outcome(witness.Before)+grpcNote(witness, witness.Before), w.outcome(witness.After)+grpcNote(witness, witness.After)
	if before != after {
		return before, after
	}
	was, is := w.change(c)
	if before == "–" {
		return was, is
	}
	return before + ", " + was, after + ", " + is
}

func (s *script) witness(witness report.Witness, before, after string) {
	s.comment("before: %s", before)
	if s.before != "" || s.after != "" {
		s.command(witness, s.before)
	}
	s.comment("after:  %s", after)
	s.command(witness, s.after)
}

// command is the command line of a witness with an option more. See isOwnCommand.
func (s *script) command(witness report.Witness, option string) {
	line := witness.Curl
	if !isOwnCommand(line) {
		s.comment("not shown: no command line that routedelta writes")
		return
	}
	if option != "" {
		line = strings.Replace(line, "curl -i", "curl -i "+option, 1)
	}
	s.WriteString(line + "\n")
}

func (s *script) undecided(u report.Undecided) {
	s.WriteString("\n")
	s.comment("not decided: %s: %s", s.words.area(u.Area), u.Reason)
	for _, sample := range u.Samples {
		s.witness(sample, "not known", "not known")
	}
}

// grpcNote says how an answer that Envoy gives itself looks to a client of gRPC.
func grpcNote(w report.Witness, o table.Outcome) string {
	if !isGRPC(w) {
		return ""
	}
	status := o.Status
	switch o.Kind {
	case table.ToBackends:
		status = 0
		if len(o.Backends) == 1 {
			status = o.Backends[0].Backend.Status
		}
	case table.NoRoute:
		status = 404
	}
	if status == 0 {
		return ""
	}
	return fmt.Sprintf(" (as 200 with grpc-status %d)", grpcStatus(status))
}

// isGRPC tells whether Envoy takes a request for one of gRPC: its content-type is application/grpc, or that with a suffix.
func isGRPC(w report.Witness) bool {
	for _, h := range w.Headers {
		if strings.EqualFold(h.Name, "content-type") && (h.Value == "application/grpc" || strings.HasPrefix(h.Value, "application/grpc+")) {
			return true
		}
	}
	return false
}

// grpcStatus is the status of gRPC for one of HTTP, as Envoy and gRPC's own document "HTTP to gRPC Status Code Mapping" have it.
func grpcStatus(http uint32) int {
	switch http {
	case 400:
		return 13
	case 401:
		return 16
	case 403:
		return 7
	case 404:
		return 12
	case 429, 502, 503, 504:
		return 14
	}
	return 2
}
