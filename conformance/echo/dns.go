package echo

import (
	"net"
	"net/netip"

	"golang.org/x/net/dns/dnsmessage"
)

// startDNS opens what coredns is with its plugin whoami: an answer without records that says, as an addition, who asked.
func (p Pod) startDNS(servers *Servers) error {
	return servers.datagrams(p, "", 53, whoAmI)
}

func whoAmI(request []byte, client net.Addr) ([]byte, error) {
	var message dnsmessage.Message
	if err := message.Unpack(request); err != nil {
		return nil, err
	}
	message.Response, message.Authoritative = true, true
	message.Answers, message.Authorities, message.Additionals = nil, nil, nil
	asker, err := netip.ParseAddrPort(client.String())
	if err != nil {
		return nil, err
	}
	if len(message.Questions) > 0 && asker.Addr().Unmap().Is4() {
		message.Additionals = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: message.Questions[0].Name, Class: dnsmessage.ClassINET},
			Body:   &dnsmessage.AResource{A: asker.Addr().Unmap().As4()},
		}}
	}
	return message.Pack()
}
