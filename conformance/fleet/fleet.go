// Package fleet runs one Envoy for each Gateway, from the files of its rendering and as an installation would.
//
// In come renderings; out go running Envoys that serve them. An Envoy is started once, when its Gateway comes, and ended when
// the Gateway goes. In between its renderings are installed as `routedelta apply` does it. Whatever Envoy refuses is an error.
//
//	renderings ─ fleet.go ─ process.go (an Envoy started, updated, ended)
//	                      ├ volume.go (mounted Secrets)
//	                      └ validate.go (the merged form)
package fleet

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync"

	"github.com/routedelta/routedelta/conformance/loopback"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/model"
)

// Config says with what the Envoys run.
type Config struct {
	// Envoy is the path of the program.
	Envoy string
	// Directory holds the renderings, the logs and the sockets of the admin interfaces; its name must be short, since that of a
	// socket has 107 bytes at most.
	Directory string
	Network   *loopback.Network
	// Secret gives the data of a Secret, which the pod of a Gateway would have mounted.
	Secret func(ctx context.Context, name string) (map[string][]byte, error)
}

// Fleet is the running Envoys.
type Fleet struct {
	config    Config
	validator *validator
	mutex     sync.Mutex
	envoys    map[model.Name]*envoy
	addresses map[model.Name]netip.Addr
	counts    Counts
}

// Counts are what a fleet has done.
type Counts struct {
	// Started Envoys, one for each Gateway that came.
	Started int
	// Updated renderings that were brought to a running Envoy.
	Updated int
	// Validated renderings: different ones whose merged form Envoy has checked.
	Validated int
}

// New makes an empty fleet.
func New(config Config) *Fleet {
	return &Fleet{
		config: config, validator: newValidator(config.Envoy, filepath.Join(config.Directory, "static")),
		envoys: map[model.Name]*envoy{}, addresses: map[model.Name]netip.Addr{},
	}
}

// Address is where the Envoy of a Gateway listens, now or once it runs.
func (f *Fleet) Address(gateway model.Name) (netip.Addr, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if address, ok := f.addresses[gateway]; ok {
		return address, nil
	}
	address, err := f.config.Network.Gateway(len(f.addresses))
	if err == nil {
		f.addresses[gateway] = address
	}
	return address, err
}

// Update brings the Envoys to the renderings: those of new Gateways are started, those of Gateways that are gone are ended. It
// returns when every Envoy serves what it is to serve.
func (f *Fleet) Update(ctx context.Context, renderings map[model.Name]*files.Set) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var failed error
	for gateway, running := range f.envoys {
		if renderings[gateway] == nil {
			failed = errors.Join(failed, running.stop())
			delete(f.envoys, gateway)
		}
	}
	for gateway, set := range renderings {
		if err := f.updateOne(ctx, gateway, set); err != nil {
			failed = errors.Join(failed, fmt.Errorf("the Envoy of Gateway %s: %w", gateway, err))
		}
	}
	return failed
}

func (f *Fleet) updateOne(ctx context.Context, gateway model.Name, set *files.Set) error {
	running := f.envoys[gateway]
	if running != nil && files.Digest(running.set) == files.Digest(set) {
		return running.mount(ctx, set, f.config.Secret)
	}
	if running != nil {
		f.counts.Updated++
		err := running.update(ctx, set, f.config.Secret)
		f.validator.add(set, running.directory())
		return err
	}
	f.counts.Started++
	started, err := f.start(ctx, set)
	if started != nil {
		f.envoys[gateway] = started
		f.validator.add(set, started.directory())
	}
	return err
}

// start runs a new Envoy in a folder of its own.
func (f *Fleet) start(ctx context.Context, set *files.Set) (*envoy, error) {
	root, err := os.MkdirTemp(f.config.Directory, "e")
	if err != nil {
		return nil, err
	}
	made := &envoy{root: root, set: set}
	if err := made.mount(ctx, set, f.config.Secret); err != nil {
		return nil, err
	}
	if err := files.Write(ctx, made.renderings(), []*files.Set{set}, files.Options{}); err != nil {
		return nil, err
	}
	return made, made.start(ctx, f.config.Envoy)
}

// Counts tells what was done, once no more is to come.
func (f *Fleet) Counts() Counts {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	counts := f.counts
	counts.Validated = f.validator.count()
	return counts
}

// Close ends all Envoys and tells what they, or the checks of merged forms, complain of.
func (f *Fleet) Close() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	failed := f.validator.close()
	for gateway, running := range f.envoys {
		if err := running.stop(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("the Envoy of Gateway %s: %w", gateway, err))
		}
	}
	f.envoys = map[model.Name]*envoy{}
	return failed
}
