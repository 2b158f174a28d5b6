package table

// Request is one request as a client sends it over HTTP/1.1 or HTTP/2.
type Request struct {
	Method string
	// Scheme is "http" or "https".
	Scheme string
	// Host is the Host header or :authority, port included if one is sent.
	Host string
	// Path with the query; "" for CONNECT, which asks for Host alone.
	Path    string
	Headers []Field
	// HTTP2 is the protocol: more methods and bytes are legal in it, and values keep their outer blanks. False is HTTP/1.1.
	HTTP2 bool
	// Holds are the names of the Free conditions that hold for the request; all others do not. No client sends them.
	Holds []string
}

// Field is a header line. Names are compared in lower case.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
