// Package loopback gives out addresses of this machine: one for each pod and each Gateway of a run, so that all of them listen on
// the ports that they would have in a cluster.
package loopback

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// Network is a block of 65,536 addresses. Two runs on one machine never share a block.
type Network struct {
	// block is the first half of the addresses.
	block [2]byte
	// claim is a socket that is open for as long as the block is ours.
	claim net.Listener
}

// Claim takes a block that no other run has: 127.<n>.0.0/16, or in a network of our own (Prepare) the one that stands there.
func Claim() (*Network, error) {
	if isolated() {
		return claim(ownBlock)
	}
	var failed error
	for n := byte(1); n < 255; n++ {
		network, err := claim([2]byte{127, n})
		if err == nil {
			return network, nil
		}
		failed = err
	}
	return nil, fmt.Errorf("no free block of loopback addresses: %w", failed)
}

func claim(block [2]byte) (*Network, error) {
	n := &Network{block: block}
	var err error
	n.claim, err = net.Listen("tcp4", netip.AddrPortFrom(n.at(255, 254), 65000).String())
	return n, err
}

// Close gives the block back.
func (n *Network) Close() error { return n.claim.Close() }

func (n *Network) at(page, i byte) netip.Addr {
	return netip.AddrFrom4([4]byte{n.block[0], n.block[1], page, i})
}

// pageSize is how many addresses of a /24 are used.
const pageSize = 250

// Gateway is the i-th address for a Gateway, from 0 on.
func (n *Network) Gateway(i int) (netip.Addr, error) { return n.address(1, 10, i) }

// Pod is the i-th address for a pod, from 0 on.
func (n *Network) Pod(i int) (netip.Addr, error) { return n.address(10, 255, i) }

// Static is an address of this machine that is given to nobody: free for a Gateway that asks for it.
func (n *Network) Static() netip.Addr { return n.at(0, 200) }

var errExhausted = errors.New("no loopback address is left")

func (n *Network) address(firstPage, endPage, i int) (netip.Addr, error) {
	page := firstPage + i/pageSize
	if page >= endPage {
		return netip.Addr{}, errExhausted
	}
	return n.at(byte(page), byte(1+i%pageSize)), nil
}
