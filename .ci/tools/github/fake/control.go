package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// control is the API by which a test rules its world:
//
//	POST   /control/worlds                  State          make a world; answers its name
//	GET    /control/worlds/NAME                            what it consists of now
//	PUT    /control/worlds/NAME             State          put another state in its place
//	POST   /control/worlds/NAME/faults      [Fault, ...]   let the next requests fail
//	DELETE /control/worlds/NAME/requests                   the requests that came, as "METHOD path", and forget them
//	GET    /control/worlds/NAME/violations                 what was not as GitHub describes it
//	POST   /control/worlds/NAME/held/HOLD                  wait until a request is held by that name
//	POST   /control/worlds/NAME/release/HOLD               let the request that is held go on
func (s *Server) control(w http.ResponseWriter, r *http.Request, path string) {
	if path == "worlds" && r.Method == http.MethodPost {
		s.makeWorld(w, r)
		return
	}
	rest, _ := strings.CutPrefix(path, "worlds/")
	name, part, _ := strings.Cut(rest, "/")
	there := s.world(name)
	if there == nil {
		http.Error(w, "no such world", http.StatusNotFound)
		return
	}
	switch r.Method + " " + part {
	case "GET ":
		there.read(w, func() any { return there.state })
	case "PUT ":
		decodeControl(w, r, &State{}, func(state *State) any { there.state = *state; return nil }, there)
	case "POST faults":
		decodeControl(w, r, &[]Fault{}, there.addFaults, there)
	case "DELETE requests":
		there.read(w, func() any {
			requests := there.requests
			there.requests = nil
			return append([]string{}, requests...)
		})
	case "GET violations":
		there.read(w, func() any { return append([]string{}, there.violations...) })
	default:
		there.meet(w, r, part)
	}
}

// meet waits for a held request, or releases it.
func (w *world) meet(to http.ResponseWriter, r *http.Request, part string) {
	what, name, _ := strings.Cut(part, "/")
	place := w.hold(name)
	switch {
	case r.Method == http.MethodPost && what == "held":
		select {
		case <-place.held:
			reply(to, nil)
		case <-r.Context().Done():
		}
	case r.Method == http.MethodPost && what == "release":
		select {
		case place.release <- struct{}{}:
			reply(to, nil)
		case <-r.Context().Done():
		}
	default:
		http.Error(to, "no such control", http.StatusNotFound)
	}
}

func (s *Server) makeWorld(w http.ResponseWriter, r *http.Request) {
	var state State
	if err := json.NewDecoder(r.Body).Decode(&state); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	name := fmt.Sprint(len(s.worlds) + 1)
	s.worlds[name] = newWorld(state)
	s.mu.Unlock()
	reply(w, name)
}

func (w *world) addFaults(faults *[]Fault) any {
	for _, fault := range *faults {
		w.faults[fault.Request] = append(w.faults[fault.Request], fault)
	}
	return nil
}

// read answers with a part of the world, looked at while nothing changes it.
func (w *world) read(to http.ResponseWriter, look func() any) {
	w.mu.Lock()
	value, err := json.Marshal(look())
	w.mu.Unlock()
	if err != nil {
		panic(err) // a value of this package
	}
	_, _ = to.Write(value)
}

// decodeControl reads what is sent strictly, so that a misspelt member is no fault that never happens.
func decodeControl[T any](w http.ResponseWriter, r *http.Request, into T, do func(T) any, there *world) {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	there.read(w, func() any { return do(into) })
}

func reply(w http.ResponseWriter, value any) {
	_ = json.NewEncoder(w).Encode(value)
}
