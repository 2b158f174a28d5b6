package status

import (
	"cmp"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/model"
)

// UnknownController is the controllerName of a status whose GatewayClass is not in the input. The API demands one; this is nobody's.
const UnknownController = "routedelta.dev/class-not-in-input"

// controllers know who answers for a Gateway: "This corresponds with the controllerName field on GatewayClass"
// (RouteParentStatus.controllerName).
type controllers struct {
	byGateway map[model.Name]string
	// other is for a Gateway or a class that is not in the input: where all classes are one controller's it is he who answers.
	other string
}

func newControllers(s *Status) controllers {
	byClass := map[string]string{}
	known := controllers{byGateway: map[model.Name]string{}}
	for _, class := range s.GatewayClasses {
		byClass[class.Name] = class.Controller
		if known.other != "" && known.other != class.Controller {
			known.other = UnknownController
			continue
		}
		known.other = class.Controller
	}
	known.other = cmp.Or(known.other, UnknownController)
	for _, gateway := range s.Gateways {
		known.byGateway[gateway.Gateway] = byClass[gateway.Class]
	}
	return known
}

func (c controllers) of(gateway model.Name) gatewayv1.GatewayController {
	return gatewayv1.GatewayController(cmp.Or(c.byGateway[gateway], c.other))
}
