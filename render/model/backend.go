package model

// BackendProtocol is what is spoken to a backend.
type BackendProtocol string

const (
	BackendHTTP1 BackendProtocol = "" // WebSockets included
	BackendH2C   BackendProtocol = "h2c"
	BackendUDP   BackendProtocol = "udp" // datagrams: a UDP port of the Service, which may have a TCP port of that number too
)

// Backend is a port of a Service (or of what stands for one). Equal backends are equal pointers within one Gateway.
type Backend struct {
	Name
	// Kind is "" for a Service, else "kind.group" in lower case of a foreign kind that is assumed to serve.
	Kind     string
	Port     uint32
	Protocol BackendProtocol
	// TLS is spoken to the backend if it is set.
	TLS *BackendTLS
	// DNSName is set when the addresses are not known at render time; Endpoints otherwise (none: 503). DNSPort is the port
	// behind that name where it is not Port: a headless Service's name stands for its endpoints.
	DNSName   string
	DNSPort   uint32
	Endpoints []Locality
}

// Locality is a group of endpoints.
type Locality struct {
	Zone      string
	Endpoints []Endpoint
}

// Endpoint is an address that serves.
type Endpoint struct {
	Address string
	Port    uint32
}

// BackendTLS says how a backend proves who it is (BackendTLSPolicy).
type BackendTLS struct {
	// Hostname is the SNI name, and what the certificate must be for unless SubjectAltNames say otherwise.
	Hostname string
	// Authorities is the PEM text of the CA certificates. AuthoritiesFrom is set instead where the text is not known: the ConfigMap
	// that is assumed to hold it. System takes those of the machine that Envoy runs on.
	Authorities     string
	AuthoritiesFrom *Name
	System          bool
	// SubjectAltNames are names of which the certificate must bear one.
	SubjectAltNames []SubjectAltName
}

// SubjectAltName is a name in a certificate.
type SubjectAltName struct {
	// URI: the name is a URI, else a DNS name.
	URI   bool
	Value string
}
