package typed

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Service applies the rules that bear on routing, from Kubernetes' validation of Services.
func Service(service *corev1.Service) diagnostic.List {
	c := &checker{}
	defaultService(&service.Spec)
	c.label(metadataName, service.Name)
	checkServiceSpec(c, service)
	return c.found
}

func checkServiceSpec(c *checker, service *corev1.Service) {
	if !oneOf(c, specPath.Child("type"), service.Spec.Type, corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort,
		corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName) {
		return
	}
	external := service.Spec.Type == corev1.ServiceTypeExternalName
	headless := service.Spec.ClusterIP == corev1.ClusterIPNone
	ports := specPath.Child("ports")
	if external && service.Spec.ExternalName == "" {
		c.missing(specPath.Child("externalName"))
	}
	if len(service.Spec.Ports) == 0 && !external && !headless {
		c.missing(ports)
	}
	checkServicePorts(c, ports, service.Spec.Ports)
}

func checkServicePorts(c *checker, ports *field.Path, list []corev1.ServicePort) {
	names := map[string]bool{}
	for i, port := range list {
		at := ports.Index(i)
		c.port(at.Child("port"), port.Port)
		oneOf(c, at.Child("protocol"), port.Protocol, corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
		if port.TargetPort != intstr.FromInt32(port.Port) {
			checkTargetPort(c, at.Child("targetPort"), port.TargetPort)
		}
		switch {
		case port.Name == "" && len(list) > 1:
			c.refuse(diagnostic.MissingValue, at.Child("name"), "several ports need a name each", "required value")
		case port.Name != "":
			c.label(at.Child("name"), port.Name)
		}
		if names[port.Name] && port.Name != "" {
			c.refuse(diagnostic.DuplicateItem, at.Child("name"), "", "duplicate value: %q", port.Name)
		}
		names[port.Name] = true
	}
}

// checkTargetPort checks a port of pods, by number or name.
func checkTargetPort(c *checker, at *field.Path, port intstr.IntOrString) {
	if port.Type == intstr.Int {
		c.port(at, port.IntVal)
		return
	}
	c.name(at, port.StrVal, dnsLabel, 15, "lower case letters, digits and '-'")
}

// defaultService fills in what Kubernetes does for a Service.
func defaultService(spec *corev1.ServiceSpec) {
	if spec.Type == "" {
		spec.Type = corev1.ServiceTypeClusterIP
	}
	for i := range spec.Ports {
		port := &spec.Ports[i]
		if port.Protocol == "" {
			port.Protocol = corev1.ProtocolTCP
		}
		if port.TargetPort == (intstr.IntOrString{}) {
			port.TargetPort = intstr.FromInt32(port.Port)
		}
	}
}
