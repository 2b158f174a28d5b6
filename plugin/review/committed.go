package review

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

// mayBeRead chooses the files of a commit by their names: manifests, and binary files of a rendering.
func mayBeRead(name string) bool {
	return manifest.Candidate(name) || slices.Contains([]string{".pb", ".pb_text"}, path.Ext(name))
}

// envoyFiles is the tree of a rendering that was committed below a path, nil where it is none.
func envoyFiles(found []git.File, below string) (fs.FS, error) {
	bootstrap := func(file git.File) bool { return strings.HasPrefix(path.Base(file.Name), "bootstrap.") }
	if !slices.ContainsFunc(found, bootstrap) {
		return nil, nil // without it nothing needs to be packed to find out
	}
	tree, err := pack(found, below)
	if err != nil || !files.IsRenderingFS(tree) {
		return nil, err
	}
	return tree, nil
}

// pack makes files in memory a file system. An archive, not packed, is the smallest that the standard library has.
func pack(found []git.File, below string) (fs.FS, error) {
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for _, file := range found {
		if file.Err != nil {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(file.Name, below), "/")
		entry, err := writer.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(file.Data); err != nil {
			return nil, err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
}
