package schema

import (
	"regexp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
)

var (
	controllerName   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9\/\-._~%!$&'()*+,;=:]+$`)
	listenerProtocol = regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$|[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9]+$`)
)

var (
	specPath     = field.NewPath("spec")
	metadataName = field.NewPath("metadata", "name")
)

// checkGatewayClass applies the rules of GatewayClass.
func checkGatewayClass(c *checker, class *gatewayv1.GatewayClass) {
	c.subdomain(metadataName, class.Name)
	c.name(specPath.Child("controllerName"), string(class.Spec.ControllerName), controllerName, 253, "a domain, a slash and a path")
}

// checkGateway applies the rules of Gateway.
func checkGateway(c *checker, gateway *gatewayv1.Gateway) {
	defaultGateway(&gateway.Spec)
	c.subdomain(metadataName, gateway.Name)
	c.objectName(specPath.Child("gatewayClassName"), string(gateway.Spec.GatewayClassName))
	at := specPath.Child("listeners")
	if len(gateway.Spec.Listeners) == 0 {
		c.missing(at)
	}
	c.atMost(at, len(gateway.Spec.Listeners), 64)
	for i := range gateway.Spec.Listeners {
		checkListener(c, at.Index(i), &gateway.Spec.Listeners[i])
	}
	checkListenersDistinct(c, at, gateway.Spec.Listeners)
	checkAddresses(c, specPath.Child("addresses"), gateway.Spec.Addresses)
}

// checkAddresses applies the rules of the addresses that a Gateway asks for.
func checkAddresses(c *checker, at *field.Path, addresses []gatewayv1.GatewaySpecAddress) {
	c.atMost(at, len(addresses), 16)
	type address struct {
		of    gatewayv1.AddressType
		value string
	}
	seen := map[address]bool{}
	for i, given := range addresses {
		item := at.Index(i).Child("value")
		if *given.Type == gatewayv1.HostnameAddressType && given.Value != "" {
			c.hostname(item, given.Value)
		}
		own := address{*given.Type, given.Value}
		if seen[own] && given.Value != "" {
			c.refuse(diagnostic.DuplicateItem, item, "", "%s values must be unique", own.of)
		}
		seen[own] = true
	}
}

// checkListenersDistinct applies the CEL rules over all listeners of a Gateway.
func checkListenersDistinct(c *checker, at *field.Path, listeners []gatewayv1.Listener) {
	type socket struct {
		port     gatewayv1.PortNumber
		protocol gatewayv1.ProtocolType
		hostname gatewayv1.Hostname
	}
	names, sockets := map[gatewayv1.SectionName]bool{}, map[socket]bool{}
	for i, listener := range listeners {
		if names[listener.Name] {
			c.refuse(diagnostic.DuplicateItem, at.Index(i).Child("name"), "", "duplicate value %q: Listener name must be unique within the Gateway", listener.Name)
		}
		names[listener.Name] = true
		taken := socket{port: listener.Port, protocol: listener.Protocol}
		if listener.Hostname != nil {
			taken.hostname = *listener.Hostname
		}
		if sockets[taken] {
			c.refuse(diagnostic.DuplicateItem, at.Index(i), "", "Combination of port, protocol and hostname must be unique for each listener")
		}
		sockets[taken] = true
	}
}

// checkListener applies the rules of one listener.
func checkListener(c *checker, at *field.Path, listener *gatewayv1.Listener) {
	c.subdomain(at.Child("name"), string(listener.Name))
	if listener.Port == 0 {
		c.missing(at.Child("port"))
	} else {
		c.port(at.Child("port"), listener.Port)
	}
	c.name(at.Child("protocol"), string(listener.Protocol), listenerProtocol, 255, "letters and digits: HTTP, HTTPS, TLS, TCP or UDP")
	if listener.Hostname != nil {
		c.hostname(at.Child("hostname"), string(*listener.Hostname))
	}
	checkListenerProtocol(c, at, listener)
	checkListenerTLS(c, at.Child("tls"), listener.TLS)
	checkAllowedRoutes(c, at.Child("allowedRoutes"), listener.AllowedRoutes)
}

// checkListenerProtocol applies the CEL rules on what goes with which protocol.
func checkListenerProtocol(c *checker, at *field.Path, listener *gatewayv1.Listener) {
	tls := at.Child("tls")
	switch listener.Protocol {
	case gatewayv1.HTTPProtocolType, gatewayv1.TCPProtocolType, gatewayv1.UDPProtocolType:
		if listener.TLS != nil {
			c.refuse(diagnostic.BadCombine, tls, "use protocol HTTPS, or remove tls", "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']")
		}
	case gatewayv1.HTTPSProtocolType, gatewayv1.TLSProtocolType:
		if listener.TLS == nil {
			// The field's documentation: "This field is required if the Protocol field is "HTTPS" or "TLS"."
			c.refuse(diagnostic.MissingValue, tls, "name a certificate in tls.certificateRefs", "required value for protocol %s", listener.Protocol)
		}
	}
	if listener.Protocol == gatewayv1.HTTPSProtocolType && listener.TLS != nil && *listener.TLS.Mode != gatewayv1.TLSModeTerminate {
		c.refuse(diagnostic.BadCombine, tls.Child("mode"), "use protocol TLS to pass TLS through", "tls mode must be Terminate for protocol HTTPS")
	}
	if listener.Hostname != nil && (listener.Protocol == gatewayv1.TCPProtocolType || listener.Protocol == gatewayv1.UDPProtocolType) {
		c.refuse(diagnostic.BadCombine, at.Child("hostname"), "", "hostname must not be specified for protocols ['TCP', 'UDP']")
	}
}

// checkListenerTLS applies the rules of a listener's TLS.
func checkListenerTLS(c *checker, at *field.Path, tls *gatewayv1.ListenerTLSConfig) {
	if tls == nil {
		return
	}
	oneOf(c, at.Child("mode"), *tls.Mode, gatewayv1.TLSModeTerminate, gatewayv1.TLSModePassthrough)
	if *tls.Mode == gatewayv1.TLSModeTerminate && len(tls.CertificateRefs) == 0 && len(tls.Options) == 0 {
		c.refuse(diagnostic.MissingValue, at.Child("certificateRefs"), "name a Secret of type kubernetes.io/tls",
			"certificateRefs or options must be specified when mode is Terminate")
	}
	c.atMost(at.Child("certificateRefs"), len(tls.CertificateRefs), 64)
	for i, ref := range tls.CertificateRefs {
		item := at.Child("certificateRefs").Index(i)
		c.group(item.Child("group"), string(*ref.Group))
		c.kindOf(item.Child("kind"), string(*ref.Kind))
		c.objectName(item.Child("name"), string(ref.Name))
		if ref.Namespace != nil {
			c.label(item.Child("namespace"), string(*ref.Namespace))
		}
	}
}

// checkAllowedRoutes applies the rules of allowedRoutes, which defaults have filled in.
func checkAllowedRoutes(c *checker, at *field.Path, allowed *gatewayv1.AllowedRoutes) {
	from := *allowed.Namespaces.From
	namespaces := at.Child("namespaces")
	oneOf(c, namespaces.Child("from"), from, gatewayv1.NamespacesFromAll, gatewayv1.NamespacesFromSelector, gatewayv1.NamespacesFromSame)
	selector := allowed.Namespaces.Selector
	switch {
	case from == gatewayv1.NamespacesFromSelector && selector == nil:
		c.warn(diagnostic.MissingValue, namespaces.Child("selector"), "write a selector, or from: All",
			"required value when from is Selector: no namespace is allowed without it")
	case selector != nil:
		checkSelector(c, namespaces.Child("selector"), selector)
	}
	c.atMost(at.Child("kinds"), len(allowed.Kinds), 8)
	for i, kind := range allowed.Kinds {
		c.group(at.Child("kinds").Index(i).Child("group"), string(*kind.Group))
		c.kindOf(at.Child("kinds").Index(i).Child("kind"), string(kind.Kind))
	}
}

// checkSelector applies the rules of a label selector.
func checkSelector(c *checker, at *field.Path, selector *metav1.LabelSelector) {
	for i, expression := range selector.MatchExpressions {
		item := at.Child("matchExpressions").Index(i)
		if expression.Key == "" {
			c.missing(item.Child("key"))
		}
		if !oneOf(c, item.Child("operator"), expression.Operator, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn,
			metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist) {
			continue
		}
		wantsValues := expression.Operator == metav1.LabelSelectorOpIn || expression.Operator == metav1.LabelSelectorOpNotIn
		switch {
		case wantsValues && len(expression.Values) == 0:
			c.refuse(diagnostic.MissingValue, item.Child("values"), "", "must be specified when operator is In or NotIn")
		case !wantsValues && len(expression.Values) > 0:
			c.refuse(diagnostic.BadCombine, item.Child("values"), "", "may not be specified when operator is Exists or DoesNotExist")
		}
	}
}
