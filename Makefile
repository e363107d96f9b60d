# Everything this project does is one of these. The build needs only Go and make.

.PHONY: help site run single bytes test test-go test-wasm test-browser test-webkit browser firefox webkit node npm bench bench-browser profile clean FORCE
.DELETE_ON_ERROR:

help: ## lists these
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile

PORT = 8080

run: site ## builds the site and serves it on this machine (PORT=8080)
	@go build -o web/.build/serve ./web/cmd/serve
	@exec web/.build/serve -port $(PORT) web/dist

# --- the site -------------------------------------------------------------------------------------------------------

# Folders count as well as files, so that a deleted file is noticed.
go_files = $(shell find $(1) \( -type d -o -name '*.go' ! -name '*_test.go' \)) go.mod go.sum

# Each program is the folder wasm/NAME, and becomes NAME.wasm.gz.
PROGRAMS = playground stage rich seeds system yaml

# What is copied as it is.
FILES := $(shell cd web && find . -type f \
	\( -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.svg' -o -name '*.png' -o -name '*.json' \) \
	! -path './dist*/*' ! -path './.build/*' ! -path './browser/*' ! -path './cmd/*' ! -path './sw.js' | sed 's|^\./||')

# The site is put together here, each file under its plain name, and then finished in web/dist.
PLAIN = web/.build/site
SITE = $(addprefix $(PLAIN)/,$(FILES) embed.html gallery.html wasm_exec.js $(PROGRAMS:=.wasm.gz))
STALE = $(filter-out $(SITE) $(PLAIN)/stills/%,$(shell find $(PLAIN) -type f 2>/dev/null))

site: web/dist/sw.js ## leaves the finished static folder in web/dist
	@echo "web/dist is fresh"

# The service worker comes last: it has a list of all the others.
web/dist/sw.js: web/sw.js $(call go_files,web/cmd/finish web/cmd/offline) $(SITE) $(if $(STALE),FORCE)
	$(if $(STALE),rm -f $(STALE))
	@go run ./web/cmd/finish $(PLAIN) $(@D)
	@go run ./web/cmd/offline $< $(@D)

# Where the page's program spends its time: the compiler inlines there, which makes WebAssembly a quarter faster, and
# straighten rebuilds what is in it.
PROFILE = wasm/playground/default.pgo

web/.build/playground.wasm: $(call go_files,engine pastebin wasm/playground wasm/internal) $(PROFILE)
web/.build/stage.wasm: $(call go_files,wasm/stage wasm/internal/frame)
web/.build/rich.wasm: $(call go_files,engine wasm/rich wasm/internal/rich)
web/.build/seeds.wasm: $(call go_files,engine wasm/seeds wasm/internal/own wasm/internal/view) $(PROFILE)
web/.build/system.wasm: $(call go_files,engine wasm/system wasm/internal)
web/.build/yaml.wasm: $(call go_files,engine/json wasm/yaml wasm/internal/yaml)
web/.build/seeds.wasm: PGO = -pgo=$(PROFILE)
web/.build/playground.wasm web/.build/seeds.wasm: REBUILT = $(PROFILE)

web/.build/%.wasm: web/.build/go $(call go_files,web/cmd/straighten)
	@printf 'building $*.wasm … '
	@GOOS=js GOARCH=wasm go build $(PGO) -trimpath -ldflags=-w -o web/.build/$*.linked ./wasm/$*
	@go run ./web/cmd/straighten web/.build/$*.linked $@ $(REBUILT)

$(PLAIN)/%.wasm.gz: web/.build/%.wasm
	@mkdir -p $(@D)
	@go run ./web/cmd/pack $< $@

# A program and the script that runs it must be of one Go: this file changes when Go does.
web/.build/go: FORCE
	@mkdir -p $(@D)
	@go version | cmp -s - $@ || go version > $@

$(PLAIN)/wasm_exec.js: web/.build/go
	@mkdir -p $(@D)
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $@
	@chmod u+w $@

# An embed is the same page and says so. It knows of which runs there is a picture.
EMBED = s|class="starting"|class="starting embed"|; s|class="still"|& data-stills="$(STILLS)"|
STILLS = $(sort $(filter-out f-%,$(basename $(notdir $(shell find $(PLAIN)/stills -name '*.svg')))))

$(PLAIN)/embed.html: web/index.html $(PLAIN)/gallery.html
	@mkdir -p $(@D)
	@sed '$(EMBED)' $< > $@
	@grep -q 'class="starting embed"' $@ && grep -q 'class="still" data-stills="[^"]*two-service' $@

# With it come the pictures in stills. It runs every scenario once, and every figure of the lessons.
LESSONS = $(wildcard web/lessons/*.html)

$(PLAIN)/gallery.html: $(call go_files,engine web/cmd/gallery) web/cmd/gallery/gallery.html web/tokens.css $(LESSONS)
	@mkdir -p $(@D)
	go run ./web/cmd/gallery web/tokens.css $(@D) $(LESSONS)

$(PLAIN)/%: web/%
	@mkdir -p $(@D)
	cp $< $@

# What the programs of the page fetch goes into the one file with it.
SINGLE = web/dist-single/stormbin.html
CARRIED = playground.wasm.gz stage.wasm.gz rich.wasm.gz seeds.wasm.gz wasm_exec.js

single: $(SINGLE) ## leaves the page as one file, which opens from a disk, in web/dist-single

$(SINGLE): $(call go_files,web/cmd/single) web/cmd/single/unpack.js $(SITE)
	@go run ./web/cmd/single $(PLAIN) index.html $@ $(CARRIED)
	@ls -sh $@

bytes: $(PROGRAMS:%=web/.build/%.wasm) ## says how large each program is, raw and compressed
	@go run ./web/cmd/bytes $^

clean: ## removes what was built
	rm -rf web/dist web/dist-single web/.build

# --- tests ----------------------------------------------------------------------------------------------------------

test: test-go test-wasm test-browser ## runs every test there is

# Where goroutines share something. The race detector needs a C compiler; without one they are only tested plainly.
# Of run it is the reader's requests and the many seeds; its other tests are long, and have one goroutine.
RACY = ./engine/live/... ./pastebin/...
RACY_RUNS = Visit|Back|World|Lost|At$$|Story|Session|Step|Limit|Seeds
HAS_CC = $(shell command -v cc)

test-go: ## vets, and runs the tests natively
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./...
	go vet -tags browser ./web/browser/...
	go test ./...
	$(if $(HAS_CC),go test -race $(RACY) && go test -race -run '$(RACY_RUNS)' ./engine/run,@echo "no C compiler: skipping the race detector")

# What the page runs, on the page's processor. Nothing of the environment is passed on but this: wasm_exec.js refuses
# one that is large.
PURE = ./engine/... ./pastebin/... $(patsubst %,./%,$(wildcard wasm/internal/view wasm/internal/frame wasm/internal/player wasm/internal/words wasm/internal/own wasm/internal/pasted))

test-wasm: node ## runs the tests of what the page is made of as WebAssembly, in node
	env -i PATH="$$PATH" HOME="$$HOME" GOPATH="$$(go env GOPATH)" GOCACHE="$$(go env GOCACHE)" \
		GOMODCACHE="$$(go env GOMODCACHE)" GOPROXY="$$(go env GOPROXY)" GOFLAGS="$$(go env GOFLAGS)" \
		GOOS=js GOARCH=wasm go test -timeout 3m -exec "$$(go env GOROOT)/lib/wasm/go_js_wasm_exec" $(PURE)

# A browser on a machine that others use is late now and then. So up to three tests that failed are run once more, by
# themselves, and must pass then; both are printed.
BROWSER = go test -count=1 -timeout 45m -tags browser
SAID = web/.build/browser.log

test-browser: site single browser firefox web/.build/axe.min.js ## runs the tests in a real Chromium, and those of the store and of one paste in Firefox too
	$(BROWSER) ./web/browser > $(SAID) 2>&1; ok=$$?; cat $(SAID); \
	failed=$$(sed -n 's/^--- FAIL: \([A-Za-z0-9_]*\).*/\1/p' $(SAID) | paste -sd '|' -); \
	[ $$ok = 0 ] || { [ -n "$$failed" ] && [ $$(grep -c '^--- FAIL' $(SAID)) -le 3 ] && ! grep -q '^panic:' $(SAID) && \
		echo "once more, by itself: $$failed" && $(BROWSER) ./web/browser -run "^($$failed)\$$"; }

# What every browser must do, in the engine of Safari. Not part of the others: installing it takes longer than they do.
test-webkit: site single browser webkit ## runs what every browser must do in WebKitGTK
	xvfb-run -a $(BROWSER) -v ./web/browser -run WebKit

# The checker of accessibility, for the tests alone.
AXE = axe-core@4.14.1

web/.build/axe.min.js: | npm
	@mkdir -p $(@D)
	cd $(@D) && tar -xzOf "$$(npm pack --silent $(AXE))" package/axe.min.js > axe.min.js && rm axe-core-*.tgz

bench: ## measures the engine and the pictures natively
	go test -run '^$$' -bench . -benchmem ./engine/... ./wasm/internal/frame $(patsubst %,./%,$(wildcard wasm/internal/view))

bench-browser: site browser ## measures the engine, the page and the stage in Chromium
	go test -run '^$$' -bench . -tags browser ./web/browser

profile: ## measures anew where the engine spends its time, for the compiler; after changes to the engine's inner loop
	@mkdir -p web/.build
	go test -run '^$$' -bench Second -benchtime 200x -cpuprofile $(CURDIR)/web/.build/cpu.prof -o web/.build/run.test ./engine/run
	go tool pprof -proto -output=$(PROFILE) web/.build/run.test web/.build/cpu.prof

# need COMMANDS, PACKAGE: one of the commands, or else Debian's package, or else a word about what is missing.
need = for c in $(1); do if command -v "$$c" >/dev/null; then exit 0; fi; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing $(2) …"; apt-get update -q && apt-get install -y -q $(2); \
	else echo "$(3)" >&2; exit 1; fi

browser:
	@$(call need,"$$CHROMIUM" chromium google-chrome chromium-browser,chromium,the browser tests need Chromium: install it (Debian: apt-get install chromium)$(comma) or set CHROMIUM to its path)

firefox:
	@$(call need,"$$FIREFOX" firefox-esr firefox,firefox-esr,the tests in Firefox need it: install it (Debian: apt-get install firefox-esr)$(comma) or set FIREFOX to its path)

webkit:
	@$(call need,WebKitWebDriver,webkit2gtk-driver,the tests in WebKit need its driver: install it (Debian: apt-get install webkit2gtk-driver))
	@$(call need,xvfb-run,xvfb xauth,the tests in WebKit need a display: install one (Debian: apt-get install xvfb xauth))

node:
	@$(call need,node,nodejs,the tests as WebAssembly need node: install it (Debian: apt-get install nodejs))

npm:
	@$(call need,npm,npm,the tests of accessibility need npm: install it (Debian: apt-get install npm))

comma := ,
