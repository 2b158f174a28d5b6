// Command image packs static programs into a container image without a registry and without a container engine.
//
//	image VERSION DIRECTORY OS/ARCHITECTURE=PROGRAM...
//
// In come programs for one or more platforms; out goes DIRECTORY, an OCI layout with one image for each platform, and one line: the
// digest of its index. The base is empty: there is no shell and no package manager in it, only the program, the users that it
// may run as, and /tmp. Times are zero, so that two runs on equal programs give the same digest.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// users are those that a container of ours is run as: nobody (kustomize, kpt), argocd (999, the sidecar of the repo-server), and the
// image's own. A program that asks who it is finds itself here.
const users = `root:x:0:0:root:/root:/sbin/nologin
argocd:x:999:999:argocd:/tmp:/sbin/nologin
nonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin
nobody:x:65534:65534:nobody:/tmp:/sbin/nologin
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "image: error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) < 3 {
		return errors.New("want VERSION DIRECTORY OS/ARCHITECTURE=PROGRAM...")
	}
	version, directory := arguments[0], arguments[1]
	index := v1.ImageIndex(empty.Index)
	for _, argument := range arguments[2:] {
		name, program, ok := strings.Cut(argument, "=")
		if !ok {
			return fmt.Errorf("%q: want OS/ARCHITECTURE=PROGRAM", argument)
		}
		platform, err := v1.ParsePlatform(name)
		if err != nil {
			return err
		}
		image, err := pack(version, *platform, program)
		if err != nil {
			return fmt.Errorf("packing %s: %w", program, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: platform}})
	}
	if _, err := layout.Write(directory, index); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	fmt.Println(digest)
	return nil
}

// pack makes the image of one platform.
func pack(version string, platform v1.Platform, program string) (v1.Image, error) {
	data, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	content, err := archive(data)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil })
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	bare, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, configured(bare.DeepCopy(), version, platform))
}

func configured(file *v1.ConfigFile, version string, platform v1.Platform) *v1.ConfigFile {
	file.OS, file.Architecture, file.Variant = platform.OS, platform.Architecture, platform.Variant
	file.Created = v1.Time{Time: time.Unix(0, 0).UTC()}
	file.Config = v1.Config{
		User:       "65532:65532",
		Entrypoint: []string{"/usr/local/bin/routedelta"},
		Env:        []string{"PATH=/usr/local/bin", "HOME=/tmp"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "routedelta",
			"org.opencontainers.image.version":  version,
			"org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.source":   "https://github.com/routedelta/routedelta",
		},
	}
	return file
}

// archive is the one layer.
func archive(program []byte) ([]byte, error) {
	var packed bytes.Buffer
	out := tar.NewWriter(&packed)
	for _, entry := range []struct {
		name string
		mode int64
		data []byte
	}{
		{"etc/passwd", 0o644, []byte(users)},
		{"tmp/", 0o1777, nil},
		{"usr/local/bin/routedelta", 0o755, program},
	} {
		header := &tar.Header{Name: entry.name, Mode: entry.mode, Size: int64(len(entry.data)), ModTime: time.Unix(0, 0), Typeflag: tar.TypeReg}
		if strings.HasSuffix(entry.name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := out.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := out.Write(entry.data); err != nil {
			return nil, err
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
