# A machine needs Go, git, Python 3, curl and make; everything else is fetched into .local, which git ignores.
# ENVOY=, KUSTOMIZE=, HELM= and KPT=/path/to/program use programs of yours instead.

LOCAL     := $(CURDIR)/.local
ENVOY     ?= $(LOCAL)/bin/envoy
KUSTOMIZE ?= $(LOCAL)/bin/kustomize
KPT       ?= $(LOCAL)/bin/kpt
HELM      ?= $(LOCAL)/bin/helm
FAKE_GITHUB ?= $(LOCAL)/bin/fake-github
ACT       ?= $(LOCAL)/bin/act
ACTIONLINT ?= $(LOCAL)/bin/actionlint
KUSTOMIZE_VERSION := v5.8.1
# Packages whose golden files are rewritten by their -update flag.
GOLDEN     = $(sort $(dir $(shell git grep -l 'flag.Bool."update",' -- '*_test.go')))
# How long `make fuzz` compares with Envoy, and how many pairs of tables it compares. SEED repeats a run.
FUZZTIME  ?= 10m
PAIRS     ?= 20000
FUZZSEED  := $(or $(SEED),$(shell date +%s))
# The packages whose benchmarks `make bench` runs.
BENCH     ?= ./...
# What `make conformance` runs: RUN=Name one test of the suite, API=kube against a real kube-apiserver.
RUN       ?=
API       ?=
# What `make release` calls the release.
VERSION   ?= $(shell git describe --tags --always)
# How many requests `make fuzz-envoy` sends, each to two Envoys.
REQUESTS  ?= 1000000

export ENVOY KUSTOMIZE KPT HELM FAKE_GITHUB ACT ACTIONLINT

.PHONY: help build test check race fuzz fuzz-envoy soak-apply mutants renderings hostile hostile-large corpus pairs bench golden conformance conformance-mutants docs pictures demo envoy kustomize helm act actionlint kpt argocd fake-github test-fake-github kube-apiserver oracle-apiserver image release release-check clean
.DEFAULT_GOAL := help

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build ./routedelta
	go build -trimpath -o routedelta ./cmd/routedelta
	@mkdir -p $(LOCAL)/bin && ln -sf $(CURDIR)/routedelta $(LOCAL)/bin/routedelta

test: check envoy kustomize helm kpt argocd image fake-github act actionlint ## run every test, the real Envoy, kustomize and kpt included
	.ci/gotest ./...

check: ## run gofmt, go vet and go mod tidy
	@unformatted=$$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l); \
	test -z "$$unformatted" || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go mod tidy -diff

race: envoy kustomize fake-github ## run the tests with the race detector (needs a C compiler)
	.ci/gotest -race ./...

test-fake-github: ## test the GitHub that tests talk to
	cd .ci/tools/github && go vet ./... && go mod tidy -diff && go test ./...

fuzz: envoy ## compare evaluator, classes, renderings and Envoy on random input for longer; FUZZTIME, PAIRS, SEED
	@echo "SEED=$(FUZZSEED)"
	ROUTEDELTA_FUZZTIME=$(FUZZTIME) ROUTEDELTA_SEED=$(FUZZSEED) go test -count=1 -timeout 0 -v -run Differential ./diff/table
	ROUTEDELTA_FUZZTIME=$(FUZZTIME) ROUTEDELTA_SEED=$(FUZZSEED) go test -count=1 -timeout 0 -v -run AgainstSpecification ./plugin/envoy
	go test -count=1 -timeout 0 -run ClassesAgainstEvaluator ./diff/class -seed $(FUZZSEED) -pairs $(PAIRS)

fuzz-envoy: envoy ## compare classes, evaluator and two Envoys, over HTTP/1.1 and HTTP/2; REQUESTS, SEED
	@echo "SEED=$(FUZZSEED)"
	ROUTEDELTA_REQUESTS=$(REQUESTS) ROUTEDELTA_SEED=$(FUZZSEED) go test -count=1 -timeout 0 -v -run 'TestTwoEnvoys$$' ./diff/class/classtest

soak-apply: envoy ## install 200 renderings, one after the other, under load: no request may be lost; APPLIES
	ROUTEDELTA_APPLIES=$(or $(APPLIES),200) go test -count=1 -timeout 20m -v -run 'TestApplyLosesNoRequest$$' ./plugin/envoy

conformance: envoy $(if $(filter kube,$(API)),kube-apiserver) ## run the official conformance suite of the Gateway API on a real Envoy; RUN=Test, API=kube
	cd conformance && go vet ./... && go mod tidy -diff && go test -skip '^TestConformance$$' ./...
	cd conformance && REPORT=$(CURDIR)/docs/conformance RUN=$(RUN) API=$(API) go test -count=1 -timeout 20m -run '^TestConformance$$' || { grep '^    GATEWAY' ../docs/conformance/tests.md; exit 1; }
	$(MAKE) docs

conformance-mutants: envoy ## put seeded defects into the renderer, and see that the official tests named for each fail
	.ci/conformance-mutants

oracle-apiserver: kube-apiserver ## ask a real kube-apiserver about every rule of the definitions; WRITE=1 keeps its answers
	cd conformance && go run ./oracle -programs $(LOCAL)/bin $(if $(WRITE),-write)
	$(if $(WRITE),go test ./render/schema -run TestRulesAgainstServer -update)

mutants: ## put seeded defects into the code, one at a time, and see that a test catches each
	.ci/mutants

renderings: envoy kustomize ## load every rendering that a test makes into a real Envoy
	.ci/renderings

hostile: fake-github helm ## run the real program on pull requests that are made to do harm
	go test -count=1 ./cmd/routedelta/hostile

hostile-large: fake-github ## the same with inputs that take minutes: 100,000 routes, a million files
	go test -count=1 -timeout 90m -tags large -run TestLarge -v ./cmd/routedelta/hostile

corpus: envoy kustomize ## read other people's manifests and tables, and run Envoy's router check tests; CORPUS=DIR holds manifests/ and tables/
	@test -d "$(CORPUS)/manifests" && test -d "$(CORPUS)/tables" || { echo "want CORPUS=DIR with the folders manifests and tables in it"; exit 2; }
	ROUTEDELTA_CORPUS=$(abspath $(CORPUS)) go test -count=1 -tags corpus -v -run Corpus ./render ./render/files ./diff ./diff/table ./plugin/envoy ./plugin/kustomize

pairs: ## compare two states of each of other people's repositories, and hold the answers against our judgement; CORPUS=DIR holds pairs/ and manifests/gitops
	@test -d "$(CORPUS)/pairs" && test -d "$(CORPUS)/manifests/gitops" || { echo "want CORPUS=DIR with the folders pairs and manifests/gitops in it"; exit 2; }
	ROUTEDELTA_CORPUS=$(abspath $(CORPUS)) go test -count=1 -tags corpus -v -run Corpus ./cmd/routedelta

bench: ## print the figures of the benchmarks; BENCH=./diff/... chooses packages
	go test -run '^$$' -bench . -benchmem -timeout 0 $(BENCH)

golden: envoy kustomize ## rewrite the golden files; read the difference before you commit it
	go test ./plugin/review -update # writes the reports that diff/format shows in every form
	go test $(addprefix ./,$(GOLDEN)) -update

docs: ## write into the README what the report of the conformance suite says
	go test ./docs -update

pictures: ## take the pictures of comments in docs/pictures (cmark-gfm, Chromium)
	.ci/pictures

demo: ## show the answer on the example
	go run ./cmd/routedelta diff testdata/example/before testdata/example/after

envoy: $(ENVOY) ## install the pinned Envoy
kube-apiserver: $(LOCAL)/bin/kube-apiserver ## build kube-apiserver and etcd; ten minutes of processor time once
kustomize: $(KUSTOMIZE) ## install the pinned kustomize
helm: $(HELM) ## build the pinned helm; two minutes of processor time once
fake-github: $(FAKE_GITHUB) ## build the GitHub that tests talk to
act: $(ACT) ## build the runner that the tests of the Action run it with
actionlint: $(ACTIONLINT) ## build what checks the workflows
kpt: $(KPT) ## build the pinned kpt; two minutes of processor time once

argocd: $(LOCAL)/bin/argocd-cmp-server ## build Argo CD's pinned plugin server, and what asks it; four minutes of processor time once

$(LOCAL)/bin/envoy: .ci/envoy.txt .ci/install-envoy
	.ci/install-envoy .ci/envoy.txt $(LOCAL)
	@touch $@

$(LOCAL)/bin/kustomize:
	GOFLAGS= GOBIN=$(LOCAL)/bin go install sigs.k8s.io/kustomize/kustomize/v5@$(KUSTOMIZE_VERSION)

$(LOCAL)/bin/helm: .ci/tools/helm/go.sum
	cd .ci/tools/helm && GOFLAGS= nice -n 19 go build -trimpath -ldflags '-s -w' -o $@ helm.sh/helm/v3/cmd/helm
	@touch $@

# Server and client come of one build, as they share most of it.
$(LOCAL)/bin/argocd-cmp-server: .ci/tools/argocd/go.mod .ci/tools/argocd/argocd-ask/main.go .ci/tools/argocd/argocd-cmp-server/main.go
	cd .ci/tools/argocd && GOFLAGS= nice -n 19 go build -trimpath -ldflags '-s -w' -o $(LOCAL)/bin/ ./argocd-cmp-server ./argocd-ask
	@touch $@

$(LOCAL)/bin/kpt: .ci/tools/kpt/go.mod .ci/tools/kpt/main.go
	cd .ci/tools/kpt && nice -n 19 go build -trimpath -ldflags '-s -w' -o $@ .
	@touch $@

$(FAKE_GITHUB): $(wildcard .ci/tools/github/*.go .ci/tools/github/go.* .ci/tools/github/fake/*.go .ci/tools/github/description/*)
	cd .ci/tools/github && GOFLAGS= go build -trimpath -o $@ .
	@touch $@

$(LOCAL)/bin/act: .ci/tools/act/go.sum
	cd .ci/tools/act && GOFLAGS= nice -n 19 go build -trimpath -ldflags '-s -w' -o $@ github.com/nektos/act
	@touch $@

$(LOCAL)/bin/actionlint: .ci/tools/actionlint/go.sum
	cd .ci/tools/actionlint && GOFLAGS= go build -trimpath -ldflags '-s -w' -o $@ github.com/rhysd/actionlint/cmd/actionlint
	@touch $@

# Both servers come of one build, as they share most of it.
$(LOCAL)/bin/kube-apiserver: .ci/kubernetes/go.mod
	cd .ci/kubernetes && nice -n 19 go build -trimpath -ldflags '-s -w' -o $(LOCAL)/bin/ ./etcd ./kube-apiserver
	@touch $@

image: $(LOCAL)/bin/image ## pack the program into a container image, an OCI layout in .local/image
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o $(LOCAL)/image.program ./cmd/routedelta
	rm -rf $(LOCAL)/image && $(LOCAL)/bin/image dev $(LOCAL)/image linux/$(shell go env GOARCH)=$(LOCAL)/image.program
	@rm $(LOCAL)/image.program

$(LOCAL)/bin/image: .ci/tools/image/main.go .ci/tools/image/go.sum
	cd .ci/tools/image && GOFLAGS= go build -trimpath -o $@ .

release: $(LOCAL)/bin/cyclonedx-gomod $(LOCAL)/bin/image ## build the files of a release into dist/: programs of six platforms, module lists, checksums; VERSION
	.ci/release $(VERSION) dist

release-check: $(LOCAL)/bin/cyclonedx-gomod $(LOCAL)/bin/image ## build a release twice from nothing, in two places, and see that both are the same
	.ci/release-check

$(LOCAL)/bin/cyclonedx-gomod: .ci/tools/sbom/go.sum
	cd .ci/tools/sbom && GOFLAGS= go build -trimpath -o $@ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	@touch $@

clean: ## remove what was built and fetched
	rm -rf $(LOCAL) routedelta dist
