package diff

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// ofBoth gives something of each side, both made at the same time: no side knows of the other.
func ofBoth[S, T any](before, after S, of func(S) T) (was, is T) {
	var other sync.WaitGroup
	other.Go(func() { was = of(before) })
	is = of(after)
	other.Wait()
	return was, is
}

// namedSet is a set with the names of its clusters.
type namedSet struct {
	*files.Set
	names table.Names
}

// readTables are the tables of a set, none for a Gateway that is not there. What table.Read complains of stands in the
// options of its tables too, as the reason why they are not decided.
func readTables(set namedSet) []*table.Table {
	if set.Set == nil {
		return nil
	}
	tables, _ := table.ReadAs(set.Set, set.names)
	return tables
}

// gatewayName is namespace/name: our renderings start Envoy under that name, and name the directory after it with a dash,
// from which it could not be told where the namespace ends.
func gatewayName(set *files.Set) string {
	if id := set.Bootstrap.GetNode().GetId(); strings.ReplaceAll(id, "/", "-") == set.Name {
		return id
	}
	return set.Name
}

// named tells whether the name of a set is that of a Gateway.
func named(set *files.Set) bool { return gatewayName(set) != set.Name }

// sums are the digests of one side: of all messages together, and of each that tells how a backend is reached. Large files have
// as many of these as rules, so no message is written out twice.
type sums struct {
	side string
	of   map[proto.Message][sha256.Size]byte
}

// sumsOf reads all messages of all sets, by name. The digest of the side is equal for equal files, whatever their format, as long as
// the program is the same (the report tells its version): the canonical text of files.Digest would take longer than all the rest of
// a large comparison.
func sumsOf(sets []*files.Set) sums {
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b *files.Set) int { return cmp.Compare(a.Name, b.Name) })
	of := map[proto.Message][sha256.Size]byte{}
	d := &digest{Hash: sha256.New()}
	for _, set := range sets {
		d.text([]byte(set.Name))
		d.message(set.Bootstrap)
		messages(d, set.Listeners, nil)
		messages(d, set.Routes, nil)
		messages(d, set.Clusters, of)
		messages(d, set.Endpoints, of)
		messages(d, set.Secrets, nil)
	}
	return sums{side: hex.EncodeToString(d.Sum(nil)[:16]), of: of}
}

// sameMessage compares a message of each side: by their digests, and by their fields only where these differ.
func sameMessage(before, after sums) func(was, is proto.Message) bool {
	return func(was, is proto.Message) bool {
		x, known := before.of[was]
		if y, both := after.of[is]; known && both && x == y {
			return true
		}
		return proto.Equal(was, is)
	}
}

// digest takes texts, each with its length, so that no two lists of texts give the same bytes.
type digest struct {
	hash.Hash
	// encoded is the room for one message after the other.
	encoded []byte
}

func (d *digest) text(data []byte) {
	_, _ = d.Write(binary.AppendUvarint(nil, uint64(len(data)))) // a hash takes every byte
	_, _ = d.Write(data)
}

func (d *digest) message(m proto.Message) {
	// A message that cannot be encoded (a string that is no UTF-8) cannot be in a file. What could be encoded of it counts.
	d.encoded, _ = proto.MarshalOptions{Deterministic: true, AllowPartial: true}.MarshalAppend(d.encoded[:0], m)
	d.text(d.encoded)
}

// messages takes a list, and notes the digest of each message where these are asked for.
func messages[M proto.Message](d *digest, list []M, sums map[proto.Message][sha256.Size]byte) {
	_, _ = d.Write(binary.AppendUvarint(nil, uint64(len(list))))
	for _, m := range list {
		d.message(m)
		if sums != nil {
			sums[m] = sha256.Sum256(d.encoded)
		}
	}
}
