package acttest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// released is a release as .ci/release makes it, of this platform only.
type released struct {
	name, sums string
	archive    []byte
}

const releaseVersion = "v1.2.3"

// packed is the release of the program of these tests, packed once.
var packed struct {
	sync.Once
	released
}

func release(t *testing.T) released {
	t.Helper()
	text, err := os.ReadFile(program(t))
	must(t, err)
	packed.Do(func() { packed.released = pack(t, text) })
	return packed.released
}

func pack(t *testing.T, text []byte) released {
	t.Helper()
	stem := "routedelta_" + releaseVersion + "_" + runtime.GOOS + "_" + runtime.GOARCH
	var archive bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&archive, gzip.BestSpeed)
	must(t, err)
	out := tar.NewWriter(zipped)
	must(t, out.WriteHeader(&tar.Header{Name: stem + "/routedelta", Mode: 0o755, Size: int64(len(text))}))
	_, err = out.Write(text)
	must(t, err)
	must(t, out.Close())
	must(t, zipped.Close())
	sum := sha256.Sum256(archive.Bytes())
	name := stem + ".tar.gz"
	other := strings.Repeat("0", 64) + "  routedelta_" + releaseVersion + "_plan9_amd64.tar.gz\n"
	return released{name, other + hex.EncodeToString(sum[:]) + "  " + name + "\n", archive.Bytes()}
}

// put leaves the archive in the cache of a runner's tools.
func (r released) put(t *testing.T, cache string) {
	t.Helper()
	dir := filepath.Join(cache, "routedelta", releaseVersion)
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, r.name), r.archive, 0o644))
}

// mirror serves a release, and counts what is downloaded.
func mirror(t *testing.T, r released) (address string, count *int) {
	t.Helper()
	count = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		*count++
		if request.URL.Path != "/"+releaseVersion+"/"+r.name {
			http.NotFound(w, request)
			return
		}
		_, _ = w.Write(r.archive)
	}))
	t.Cleanup(server.Close)
	return server.URL, count
}

// TestRelease: what is downloaded runs if it has the checksum that the action holds, and only then.
func TestRelease(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	good := release(t)
	bad := good
	bad.archive = append(append([]byte{}, good.archive...), 0)
	for name, c := range map[string]struct {
		served, cached released
		code           string
		says           string
		downloads      int
	}{
		"downloaded":         {good, released{}, "0", "comment: created", 1},
		"from the cache":     {good, good, "0", "comment: created", 0},
		"a spoiled cache":    {good, bad, "0", "comment: created", 1},
		"a spoiled download": {bad, released{}, "", "is not the release that this action was made with", 1},
		"no such release":    {released{name: "other"}, released{}, "", "could not be downloaded", 1},
	} {
		t.Run(name, func(t *testing.T) {
			address, count := mirror(t, c.served)
			j := p.job(githubtest.NewWith(t, p.state()))
			j.t, j.cached = t, c.cached
			j.with["binary"], j.with["downloads"] = "", address
			j.actions["routedelta/routedelta@v1"] = copied(t, map[string]string{"SHA256SUMS": good.sums})
			result := j.run()
			if result.outputs["exit-code"] != c.code || (result.code == 0) != (c.code == "0") || !strings.Contains(result.log, c.says) {
				t.Errorf("exit code %d %q, want %q and %q:\n%s", result.code, result.outputs["exit-code"], c.code, c.says, result.log)
			}
			if *count != c.downloads {
				t.Errorf("%d downloads, want %d", *count, c.downloads)
			}
		})
	}
}

// TestNoReleaseForThisPlatform says so, and runs nothing.
func TestNoReleaseForThisPlatform(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, swap)
	j := p.job(githubtest.NewWith(t, p.state()))
	j.with["binary"] = ""
	j.actions["routedelta/routedelta@v1"] = copied(t, map[string]string{"SHA256SUMS": strings.Repeat("0", 64) + "  routedelta_v1.2.3_plan9_amd64.tar.gz\n"})
	if result := j.run(); result.code == 0 || !strings.Contains(result.log, "there is no release for this platform") {
		t.Errorf("exit code %d:\n%s", result.code, result.log)
	}
}

// TestByPath builds the program of the source around the action. No go.work of the pull request has a say.
func TestByPath(t *testing.T) {
	t.Parallel()
	p := newPullRequest(t, map[string]string{"apps/shop.yaml": shop("web-v2"), "go.work": "go 1.26\nuse ./nowhere\n"})
	j := p.job(githubtest.NewWith(t, p.state()))
	j.with["binary"] = ""
	j.actions["routedelta/routedelta@v1"] = source(t)
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // the runner's HOME has none
		value, err := exec.Command("go", "env", name).Output()
		must(t, err)
		j.env[name] = strings.TrimSpace(string(value))
	}
	j.run().require(t, 0, "comment: created")
}

// source is a copy of this repository without what is built in it.
func source(t *testing.T) string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "go.mod", "go.sum", "action.yml", ".github/action", "cmd", "diff", "plugin", "render")
	list.Dir = "../../.."
	names, err := list.Output()
	must(t, err)
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		if strings.Contains(name, "/testdata/") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		from := filepath.Join("../../..", name)
		info, err := os.Stat(from)
		if err != nil {
			continue // removed, and not committed yet
		}
		text, err := os.ReadFile(from)
		must(t, err)
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), text, info.Mode().Perm()))
	}
	return dir
}
