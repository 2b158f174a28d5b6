package github

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// DefaultURL is the address of the API of github.com.
const DefaultURL = "https://api.github.com"

// Client speaks to one GitHub with one token.
type Client struct {
	api   *github.Client
	token string
	retry *retry
}

// NewClient makes a client. apiURL is GITHUB_API_URL as runners set it, complete: https://api.github.com,
// https://api.SUBDOMAIN.ghe.com or https://HOST/api/v3 (GitHub Enterprise Server); "" is github.com.
func NewClient(token, apiURL string) (*Client, error) {
	if token == "" {
		return nil, &Error{Operation: "authenticating", Kind: Unauthorized, Message: "no token"}
	}
	if apiURL == "" {
		apiURL = DefaultURL
	}
	base, err := url.Parse(strings.TrimRight(apiURL, "/") + "/")
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") {
		return nil, fmt.Errorf("API address %q: want https://HOST or https://HOST/api/v3", apiURL)
	}
	if base.User != nil {
		return nil, errors.New("API address: it holds a user name or password; pass the token instead")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 30 * time.Second
	again := newRetry(&authorized{next: transport, host: base.Host, scheme: base.Scheme, token: token})
	api := github.NewClient(&http.Client{Transport: again, CheckRedirect: sameHost(base)})
	api.BaseURL = base
	api.UserAgent = "routedelta"
	return &Client{api: api, token: token, retry: again}, nil
}

// authorized adds the token to requests to its own host, and to no other: go-github's own WithAuthToken adds it to whatever a
// redirect leads to.
type authorized struct {
	next                http.RoundTripper
	host, scheme, token string
}

func (a *authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Host == a.host && request.URL.Scheme == a.scheme {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+a.token)
	}
	return a.next.RoundTrip(request)
}

// sameHost follows redirects (GitHub sends them for renamed repositories) on the same host only, and never to a request in clear text.
func sameHost(base *url.URL) func(*http.Request, []*http.Request) error {
	return func(request *http.Request, via []*http.Request) error {
		if request.URL.Host != base.Host || request.URL.Scheme != base.Scheme {
			return fmt.Errorf("a redirect to another host: %s", request.URL.Host)
		}
		if len(via) >= 5 {
			return errors.New("more than 5 redirects")
		}
		return nil
	}
}
