package artifact

import (
	"archive/zip"
	"io"
	"strings"
)

// inZIP lists a ZIP file. Nothing of it is ever unpacked to a disk.
func inZIP(path string) ([]file, io.Closer, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, nil, wrong("%v", err)
	}
	var files []file
	for _, entry := range archive.File {
		if strings.HasSuffix(entry.Name, "/") || !entry.Mode().IsRegular() || len(archive.File) > maxFiles {
			archive.Close()
			return nil, nil, wrong("%q is no plain file, or there are more than %d", clipped(entry.Name), maxFiles)
		}
		files = append(files, file{entry.Name, entry.Open})
	}
	return files, archive, nil
}
