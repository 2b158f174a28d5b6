package attach

import (
	"fmt"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/gateway-api/pkg/consts"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/status"
)

// classes are the statuses of the GatewayClasses that are ours: "Implementations MUST populate status on all GatewayClass resources
// which specify their controller name" (GatewayClass.status). Whoever asks for classes by name does not say what the controller is
// called, so it is who controls these; without such names every Gateway is rendered, and every class is ours.
func (r *resolver) classes(objects *manifest.Objects) []status.GatewayClass {
	ours := map[gatewayv1.GatewayController]bool{}
	for _, located := range objects.GatewayClasses {
		if r.selects(located.Object.Name) {
			ours[located.Object.Spec.ControllerName] = true
		}
	}
	var classes []status.GatewayClass
	for _, located := range objects.GatewayClasses {
		if ours[located.Object.Spec.ControllerName] {
			classes = append(classes, r.class(located))
		}
	}
	return classes
}

// class: no kind of parameters is known. A controller that does not know one rejects the class (GatewayClassSpec.parametersRef);
// under assume they are another implementation's, and routes do without them.
func (r *resolver) class(located manifest.Located[*gatewayv1.GatewayClass]) status.GatewayClass {
	object := located.Object
	from := source{diagnostic.Object{Kind: "GatewayClass", Name: object.Name}, located.Places}
	reason, message := gatewayv1.GatewayClassReasonAccepted, ""
	if ref := object.Spec.ParametersRef; ref != nil {
		text := fmt.Sprintf("parameters of kind %s of group %q are not read", ref.Kind, ref.Group)
		r.remark(from, "spec.parametersRef", diagnostic.FieldUnsupported, text+": Gateways of the class are rendered without them")
		if !r.assume() {
			reason, message = gatewayv1.GatewayClassReasonInvalidParameters, text
		}
	}
	return status.GatewayClass{
		Name:       object.Name,
		Controller: string(object.Spec.ControllerName),
		Conditions: []status.Condition{
			status.New(gatewayv1.GatewayClassConditionStatusAccepted, message == "", reason, message, object.Generation),
			status.New(gatewayv1.GatewayClassConditionStatusSupportedVersion, true, gatewayv1.GatewayClassReasonSupportedVersion,
				"objects are checked against the CRDs of "+consts.BundleVersion, object.Generation),
		},
		SupportedFeatures: status.SupportedFeatures(),
	}
}
