package krm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path"
	"strings"

	"github.com/routedelta/routedelta/render/files"
)

const (
	// maxData keeps a ConfigMap with its names and annotations below the API server's limit of 1 MiB.
	maxData = 1000 * 1000
	// mostParts bounds in how many parts files are spread.
	mostParts = 1 << 12
)

// part are the files of one ConfigMap. suffix tells it from the Gateway's others, "" is the only or the first one.
type part struct {
	suffix string
	data   map[string]string
}

// pack spreads files over as few parts as they need, in a way that holds while they grow: all stand in one part until that is full.
// Then a file of more than half a part has one of its own, named by the file; the others are spread by a hash of their names over
// two parts, four, eight..., where a part that is full only has some of its files moved into one that is new. So a file that is added
// or that grows changes the part that it stands in, and the names of the others stay what a Pod has mounted.
func pack(encoded []files.File) ([]part, error) {
	total := 0
	for i := range encoded {
		encoded[i].Data = tightened(encoded[i])
		size := len(encoded[i].Data)
		if size > maxData {
			return nil, fmt.Errorf("%s has %d bytes and fits no ConfigMap (limit %d): split the Gateway's routes over more listeners, or mount the files another way", encoded[i].Path, size, maxData)
		}
		total += size
	}
	if total <= maxData {
		return []part{{data: dataOf(encoded)}}, nil
	}
	var own []part
	var small []files.File
	for _, file := range encoded {
		if len(file.Data) > maxData/2 && !isBootstrap(file.Path) {
			own = append(own, part{strings.TrimSuffix(files.FlatName(file.Path), path.Ext(file.Path)), dataOf([]files.File{file})})
		} else {
			small = append(small, file)
		}
	}
	spread, err := spreadOver(small)
	return append(spread, own...), err
}

// spreadOver spreads files over the smallest power of two of parts that holds them.
func spreadOver(small []files.File) ([]part, error) {
	for count := 1; count <= mostParts; count *= 2 {
		buckets := make([][]files.File, count)
		sizes := make([]int, count)
		fits := true
		for _, file := range small {
			bucket := bucketOf(file.Path, count)
			buckets[bucket] = append(buckets[bucket], file)
			sizes[bucket] += len(file.Data)
			fits = fits && sizes[bucket] <= maxData
		}
		if fits {
			return partsOf(buckets), nil
		}
	}
	return nil, fmt.Errorf("%d files do not fit into %d ConfigMaps", len(small), mostParts)
}

func partsOf(buckets [][]files.File) []part {
	var parts []part
	for i, bucket := range buckets {
		one := part{data: dataOf(bucket)}
		if i > 0 {
			one.suffix = fmt.Sprint(i + 1)
		}
		if len(bucket) > 0 {
			parts = append(parts, one)
		}
	}
	return parts
}

// bucketOf is the part of a file: the bootstrap is where Envoy begins, and stays in the first.
func bucketOf(name string, count int) int {
	if isBootstrap(name) {
		return 0
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name)) // a hash takes every byte
	return int(hash.Sum64() % uint64(count))
}

func isBootstrap(name string) bool { return name == "bootstrap"+path.Ext(name) }

func dataOf(encoded []files.File) map[string]string {
	data := map[string]string{}
	for _, file := range encoded {
		data[files.FlatName(file.Path)] = string(file.Data)
	}
	return data
}

// tightened takes the white space out of a JSON file that is too large with it (to about a fourth): a file that can be applied is worth
// more than one that reads well.
func tightened(file files.File) []byte {
	if len(file.Data) <= maxData || path.Ext(file.Path) != ".json" {
		return file.Data
	}
	var tight bytes.Buffer
	if json.Compact(&tight, file.Data) != nil {
		return file.Data
	}
	return tight.Bytes()
}
