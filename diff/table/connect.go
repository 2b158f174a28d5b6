package table

import (
	"net/netip"
	"strconv"
	"strings"
)

// connectMethod asks for a tunnel to a host: such a request has no path.
const connectMethod = "CONNECT"

// isConnectTarget is the authority form of HTTP/1.1, as Envoy's codec takes it: a name of letters, digits, "-" and ".", or an address
// in brackets, and a port of 16 bits. HTTP/2 takes any :authority. (Found by experiment on Envoy 1.40.0. The name of an interface as
// the zone of an address is taken there if the machine has it, and not here.)
func isConnectTarget(target string) bool {
	at := strings.LastIndexByte(target, ':')
	if at < 0 {
		return false
	}
	host, port := target[:at], target[at+1:]
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return false
	}
	if inside, bracket := strings.CutPrefix(host, "["); bracket {
		inside, closed := strings.CutSuffix(inside, "]")
		return closed && isAddress(inside)
	}
	for i := range len(host) {
		if !isAlphanumeric(host[i]) && host[i] != '-' && host[i] != '.' {
			return false
		}
	}
	return host != ""
}

// isAddress takes addresses of both versions, with a number as zone.
func isAddress(text string) bool {
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() == "" {
		return err == nil
	}
	_, err = strconv.ParseUint(address.Zone(), 10, 32)
	return err == nil
}
