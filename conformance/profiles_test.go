package conformance

import "sigs.k8s.io/gateway-api/conformance/utils/suite"

// profiles are all that a gateway can have; the others are for a mesh.
var profiles = []suite.ConformanceProfile{
	suite.GatewayHTTPConformanceProfile,
	suite.GatewayGRPCConformanceProfile,
	suite.GatewayTLSConformanceProfile,
	suite.GatewayTCPConformanceProfile,
	suite.GatewayUDPConformanceProfile,
}

func profileNames() []suite.ConformanceProfileName {
	var names []suite.ConformanceProfileName
	for _, profile := range profiles {
		names = append(names, profile.Name)
	}
	return names
}
