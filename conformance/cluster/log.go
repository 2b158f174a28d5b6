package cluster

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// log is what a pod has printed.
type log struct {
	mutex sync.Mutex
	lines []line
}

type line struct {
	at   time.Time
	text string
}

func (l *log) add(text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.lines = append(l.lines, line{time.Now(), text})
}

// since gives the lines from a time on.
func (l *log) since(start time.Time) string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var text strings.Builder
	for _, line := range l.lines {
		if !line.at.Before(start) {
			text.WriteString(line.text + "\n")
		}
	}
	return text.String()
}

var logPath = regexp.MustCompile(`^/api/v1/namespaces/([^/]+)/pods/([^/]+)/log$`)

// Logs answers requests for the log of a pod, which an API server passes on to the kubelet, and hands all others to next.
func (c *Cluster) Logs(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		match := logPath.FindStringSubmatch(request.URL.Path)
		if match == nil {
			return next.RoundTrip(request)
		}
		p := c.find(types.NamespacedName{Namespace: match[1], Name: match[2]})
		if p == nil {
			return textResponse(request, http.StatusNotFound, "no such pod"), nil
		}
		// Absent is the zero time: from the beginning. The API has whole seconds.
		start, err := time.Parse(time.RFC3339, request.URL.Query().Get("sinceTime"))
		if err != nil && request.URL.Query().Has("sinceTime") {
			return textResponse(request, http.StatusBadRequest, err.Error()), nil
		}
		return textResponse(request, http.StatusOK, p.log.since(start)), nil
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func textResponse(request *http.Request, code int, text string) *http.Response {
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"text/plain"}},
		Body:          io.NopCloser(strings.NewReader(text)),
		ContentLength: int64(len(text)),
		Request:       request,
	}
}
