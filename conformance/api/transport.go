package api

import (
	"net/http"
	"net/http/httptest"

	"k8s.io/client-go/rest"
)

// Config lets a client reach the server without a socket.
func (s *Server) Config() *rest.Config {
	return &rest.Config{
		Host: "http://in-process",
		QPS:  -1,
		// Else controller-runtime speaks protobuf for the kinds of Kubernetes.
		ContentConfig: rest.ContentConfig{ContentType: "application/json", AcceptContentTypes: "application/json"},
		Transport:     transport{s},
	}
}

// transport hands requests to a handler of this process.
type transport struct{ handler http.Handler }

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	t.handler.ServeHTTP(recorder, request)
	response := recorder.Result()
	response.Request = request
	return response, nil
}
