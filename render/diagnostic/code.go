package diagnostic

// Code is the stable name of a kind of finding. The hundreds name the stage: 10 reading, 11 schema, 12 attachment,
// 13 precedence, 14 rendering, 15 checking a rendering, 16 configuration, 17 holding a rendering in Kubernetes objects,
// 30 checking what rules do with requests.
type Code string

// Reading (render/manifest).
const (
	NotYAML           Code = "RD1001" // the text is no YAML or JSON
	TooLarge          Code = "RD1002" // a file, a document or the sum of all is over its limit
	AliasBomb         Code = "RD1003" // aliases unfold to far more than the text holds
	UnknownField      Code = "RD1004" // a field that the kind does not have
	WrongType         Code = "RD1005" // a value of another type than the field's
	DuplicateObject   Code = "RD1006" // one object stands twice in the input
	Unreadable        Code = "RD1007" // a file cannot be read
	OutsideTree       Code = "RD1008" // a symbolic link leads out of the tree
	UnsupportedKind   Code = "RD1009" // a route kind that this version does not render yet
	DuplicateKey      Code = "RD1010" // a key stands twice in one mapping
	NoObject          Code = "RD1011" // the input has no routes at all
	VersionNotServed  Code = "RD1012" // an API version that is not served
	MissingIdentifier Code = "RD1013" // an object without apiVersion, kind or name
	UnsetVariable     Code = "RD1014" // a ${VARIABLE} that has no value in the input
	TemplatesSkipped  Code = "RD1015" // the templates of a Helm chart are not read
	DeprecatedVersion Code = "RD1016" // an API version that will not be served for long
	PartNotRead       Code = "RD1017" // a part of the tree that is not read
)

// Schema: what the API server refuses (render/schema), or a proxy (render/schema/typed). render/manifest gives the server's causes these codes.
const (
	BadHostname   Code = "RD1101" // a hostname with a port, an IP address, or otherwise not a DNS name
	BadPath       Code = "RD1102" // a path value that the API refuses
	BadRegex      Code = "RD1103" // a regular expression that RE2 (or Envoy's use of it) refuses
	BadName       Code = "RD1104" // a header, query parameter, section or object name that the API refuses
	BadValue      Code = "RD1105" // a value outside the set or range of the field
	BadCombine    Code = "RD1106" // fields or filters that exclude each other
	MissingValue  Code = "RD1107" // a required field is missing
	DuplicateItem Code = "RD1108" // an item stands twice in a list with keys
	TooManyItems  Code = "RD1109" // more items than the API server takes
)

// Attachment (render/attach).
const (
	GatewayAssumed      Code = "RD1201" // the parent Gateway is not in the input: an open one is assumed
	GatewayUnknown      Code = "RD1202" // the parent Gateway is not in the input: the route does not attach
	BackendAssumed      Code = "RD1203" // the Service is not in the input: rendered by its DNS name
	BackendUnknown      Code = "RD1204" // the Service is not in the input: its share answers 500
	BackendKind         Code = "RD1205" // a backend of a kind that is no Service
	BackendExternal     Code = "RD1206" // a Service of type ExternalName is refused
	BackendPort         Code = "RD1207" // the Service has no such port, or none is given
	NotPermitted        Code = "RD1208" // a reference over namespaces without a ReferenceGrant
	NoMatchingHostname  Code = "RD1209" // no hostname of the route intersects the listener's
	NotAllowed          Code = "RD1210" // the listener's allowedRoutes refuse the route
	NoMatchingParent    Code = "RD1211" // no listener has this section name and port
	CertificateUnknown  Code = "RD1212" // the listener's certificate is not in the input
	ListenerConflict    Code = "RD1213" // listeners of one port exclude each other
	ListenerUnsupported Code = "RD1214" // a listener protocol or option that is not rendered
	FilterUnsupported   Code = "RD1215" // an unknown or unresolved filter: the rule answers 500
	NoBackend           Code = "RD1216" // a rule without backend and without redirect answers 500
	NoEndpoint          Code = "RD1217" // a Service without ready endpoints answers 503
	HostnameIgnored     Code = "RD1218" // one of the route's hostnames is outside the listener's and is ignored
	FieldUnsupported    Code = "RD1219" // a field that this version does not render yet
	HostHeaderRewritten Code = "RD1220" // a Host header modifier is rendered as a rewrite of the host
	ClassNotSelected    Code = "RD1221" // the Gateway's class is not among those asked for
	BackendShareAllZero Code = "RD1222" // all backends of a rule have weight 0: it answers 500
	CertificateAssumed  Code = "RD1223" // the listener's certificate is not in the input: it is assumed to exist
	NamespaceUnknown    Code = "RD1224" // a namespace selector, but the Namespace is not in the input
	AddressRefused      Code = "RD1225" // an address that a Gateway asks for and does not get
	TooManyListeners    Code = "RD1226" // more HTTPS listeners on a port than misdirected requests are told apart for
	Approximated        Code = "RD1227" // a field that Envoy does not do in all of its meaning
	KindConflict        Code = "RD1228" // an HTTPRoute and a GRPCRoute for one hostname: one of them does not attach
	CertificateWithheld Code = "RD1229" // nothing is written of certificates: what needs one is not served
	KeyUnknown          Code = "RD1230" // the key of a certificate is not in the input, and cannot be written to a file
	PolicyInvalid       Code = "RD1231" // a BackendTLSPolicy that cannot be met: nothing is sent to its targets
	PolicyConflict      Code = "RD1232" // another BackendTLSPolicy has the same target and comes first
	PolicyIgnored       Code = "RD1233" // a BackendTLSPolicy that does not hold for a target or a route
	PolicyMissing       Code = "RD1234" // a backend that speaks TLS, and no BackendTLSPolicy that says with whom
	NoParent            Code = "RD1235" // a route that names no parent
)

// Precedence (render/precedence).
const (
	DecidedByAge  Code = "RD1301" // only age decides between rules of two routes
	DecidedByName Code = "RD1302" // only the name decides between rules of two routes
	Duplicate     Code = "RD1303" // a rule never wins: an equal match stands before it
)

// Rendering (render/xds, render/files).
const (
	TooManyFiles      Code = "RD1402" // more file subscriptions than inotify instances by default
	DeadReference     Code = "RD1501" // a name that no resource has
	DoubleName        Code = "RD1502" // two resources of one type (or vhosts, routes, listeners) share a name
	WrongSlotType     Code = "RD1503" // a message of another type than its slot takes
	BrokenResource    Code = "RD1504" // a resource that breaks Envoy's field constraints, or does not parse
	FilterMissing     Code = "RD1505" // per-filter configuration without its filter, or of another type
	BadSubstitution   Code = "RD1506" // a substitution names a group that the expression does not have
	BadDomain         Code = "RD1507" // a domain that Envoy takes as a literal, or twice
	SilentListener    Code = "RD1508" // a listener that Envoy takes in silence and that cannot serve
	UnknownEnvoyField Code = "RD1509" // a field or enum value that Envoy ignores in silence
	DeadMatch         Code = "RD1510" // a match that Envoy loads and that no request meets
	BadFormat         Code = "RD1511" // a header value with a bad substitution command
)

// Configuration (plugin/review).
const (
	NotInForce Code = "RD1601" // the change alters the configuration, and is held to that of the earlier commit
)

// Holding a rendering in Kubernetes objects (plugin/krm).
const (
	EmptyList        Code = "RD1701" // no resources come into a KRM function, or none would come out
	LocalOnly        Code = "RD1702" // an object is not read, because no cluster gets it
	NameTaken        Code = "RD1703" // the name of a ConfigMap is that of an object which is not ours
	NotHeld          Code = "RD1704" // what was rendered cannot stand in ConfigMaps
	BadConfiguration Code = "RD1705" // the configuration of a KRM function is wrong
	WrongPlace       Code = "RD1706" // a kustomization lists the function where it does no good
	OriginUnknown    Code = "RD1707" // kustomize does not say from which files objects come
)

// Checking what rules do with requests (diff/check, by way of plugin/review).
const (
	NeverWins         Code = "RD3001" // every request that a rule matches is won by rules ahead of it
	IdenticalMatch    Code = "RD3002" // a rule with the same match stands ahead of a rule
	NoRequest         Code = "RD3003" // no request that reaches the router meets a rule
	CrossingRules     Code = "RD3004" // two rules with different backends overlap, and neither contains the other
	CrossingByAge     Code = "RD3005" // as RD3004, and only age or name decides between the two
	CopiedRoute       Code = "RD3006" // every match of a route stands in another route that wins
	StringPrefix      Code = "RD3007" // a prefix that ends inside of a path segment
	NotDecided        Code = "RD3008" // whether a rule wins a request is not known
	UnusedSuppression Code = "RD3009" // a suppression that suppresses nothing, or no longer
)
