package review

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
)

// bytesRead identifies the bytes of files. Their names are left out: one directory can be called in several ways, and where
// names matter the rendering tells.
type bytesRead struct {
	mutex   sync.Mutex
	digests [][]byte
}

func (b *bytesRead) add(data []byte) { b.note("", sha256.Sum256(data)) }

// note takes the digest of a file.
func (b *bytesRead) note(_ string, digest [sha256.Size]byte) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.digests = append(b.digests, digest[:])
}

// digest is over all files, in whatever order they were read.
func (in *input) digest() string {
	all := bytesRead{digests: slices.Clone(in.bytes.digests)}
	for _, text := range in.texts {
		all.add(text.Data)
	}
	slices.SortFunc(all.digests, bytes.Compare)
	sum := sha256.Sum256(bytes.Join(all.digests, nil))
	return "sha256:" + hex.EncodeToString(sum[:])
}
