# Everything a contributor does, as one word. `make` alone lists them.
#
#   make serve ARGS="--port 9000"                options for the server
#   make test ARGS="--filter NavigationTests"  options for the test run

SWIFT ?= swift
ARGS ?=

SWIFT_SOURCES := Sources Tests Benchmarks/Sources Macros/Sources Macros/Tests Package.swift Benchmarks/Package.swift \
	Macros/Package.swift Examples/Shop/Sources Examples/Shop/Tests Examples/Shop/Package.swift
# Linked with Swift's library, as Dockerfile does it too: calls into the shared one cost a third of a request's time.
STATIC := $(if $(wildcard $(shell $(SWIFT) -print-target-info 2>/dev/null \
	| sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1_static/p')),--static-swift-stdlib)
RELEASE := -c release --product coordinate-server $(STATIC)
BENCHMARKS := -c release --package-path Benchmarks $(STATIC)
# The server as the programs of Benchmarks build it beside themselves, so that its modules are built once.
MEASURED = "$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/coordinate-server"
# What is measured in process is built by a plugin, which knows nothing of STATIC, and would build all anew each time.
IN_PROCESS := $(CURDIR)/Benchmarks/.build/in-process
# The compiler heeds the last of its options -sanitize alone, which has to name both. libFuzzer has the main function.
FUZZ := -c release --scratch-path .build/fuzz --product fuzz --sanitize fuzzer --sanitize address \
	-Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library

# A thousand tests at once, many of them with servers, keep each other from their work: where swift can be told, some at
# a time are run, and all are done sooner.
WIDTH = $(shell $(SWIFT) test --help-hidden 2>/dev/null | grep -q -e '--experimental-maximum-parallelization-width' \
	&& echo --experimental-maximum-parallelization-width 8)

.DEFAULT_GOAL := help
.PHONY: help serve test sanitize page macros shop histories walks torture fuzz conform compatibility build measured bench attack soak guard docs screenshots format lint tics clean toolchain dependencies browser postgresql

help: ## List these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1	\2/p' $(MAKEFILE_LIST) | expand -t 13

serve: build ## Build the server and run it; ARGS="--port 9000" passes options
	@exec "$$($(SWIFT) build $(RELEASE) --show-bin-path)/coordinate-server" serve $(ARGS)

test: dependencies browser postgresql ## Run all tests; ARGS="--filter NavigationTests" picks some
	$(SWIFT) test $(WIDTH) $(ARGS)

# The suites in which C is called, memory is shared, or trees are made and freed; not those of other processes, which are
# built without it. Leaks are not looked for: the tests' own client leaks, in libcurl below URLSession, and a test of lanes
# leaves jobs undone on purpose. A server that leaks is what `make soak` is for.
SANITIZED := Coordinate|CoordinateSQLite|CoordinateServer|CoordinateSessions|JSON|MicroHTTPD|Racing

sanitize: dependencies ## Run the tests of the library, the sessions and the server under AddressSanitizer
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --sanitize=address --scratch-path .build/sanitize $(WIDTH) \
		--filter '^($(SANITIZED))Tests\.' $(ARGS)

page: ## Test the modules of the page that need no browser, by node
	@command -v node >/dev/null || { echo "error: the page's modules are tested by node: install it." >&2; exit 1; }
	node --test $(ARGS) Tests/page/*.test.js

macros: dependencies ## Test the package of the macros; its first build takes minutes
	$(SWIFT) test --package-path Macros $(ARGS)

shop: dependencies ## Test the example in Examples/Shop, a package of its own; its first build takes minutes
	$(SWIFT) test --package-path Examples/Shop $(ARGS)

histories: dependencies ## Try ten thousand random histories of servers on a journal that misbehaves
	RANDOM_HISTORIES=10000 $(SWIFT) test --filter 'RandomHistoryTests|SessionWalkTests' $(ARGS)

walks: dependencies ## Walk an app at random for a million steps, and compare its paths and routes with its screens
	RANDOM_STEPS=$${RANDOM_STEPS:-1000000} $(SWIFT) test --filter RouteWalkTests $(ARGS)

torture: dependencies postgresql ## Kill servers and PostgreSQL under load, and promote standbys: TORTURE_KILLS=100 times in all, from TORTURE_SEED=1
	TORTURE_KILLS=$${TORTURE_KILLS:-100} $(SWIFT) test --filter TortureTests $(ARGS)

fuzz: dependencies ## Try what reads foreign bytes with invented ones, FUZZ_SECONDS=60 a target; ARGS="json" picks one
	FUZZING=1 $(SWIFT) build $(FUZZ)
	@.ci/fuzz "$$(FUZZING=1 $(SWIFT) build $(FUZZ) --show-bin-path)/fuzz" $(ARGS)

conform: measured ## Hold the server to its description, with schemathesis; ARGS="--seed 7" tries something else
	@Tests/conform/run $(MEASURED) $(ARGS)

build: dependencies ## Build the server, optimised
	$(SWIFT) build $(RELEASE)

measured: dependencies
	$(SWIFT) build $(BENCHMARKS) --product coordinate-server

compatibility: measured ## Try the server over sockets here and on Debian 13; ARGS="refusal" picks a group of tests
	@.ci/compatibility $(MEASURED) $(ARGS)

bench: measured ## Measure, next to libmicrohttpd and Hummingbird, into Benchmarks/RESULTS.md; ARGS="--quick"
	@.ci/install wrk
	@.ci/install hey || echo "Without hey, no latencies are measured."
	@.ci/install postgresql || echo "Without PostgreSQL, its journal is not measured." >&2
	$(SWIFT) build $(BENCHMARKS)
	$(SWIFT) package --package-path Benchmarks --scratch-path $(IN_PROCESS) --allow-writing-to-directory $(IN_PROCESS) \
		benchmark --format jmh --path $(IN_PROCESS) --no-progress --quiet
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/bench" \
		--server $(MEASURED) \
		--in-process $(IN_PROCESS)/Current_run.jmh.json $(ARGS)

attack: measured ## Attack the server, and see what its other clients notice; ARGS="deep-replay" picks an attack
	$(SWIFT) build $(BENCHMARKS) --product attack
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/attack" \
		--server $(MEASURED) $(ARGS)

soak: measured ## Keep the server under load for SOAK_SECONDS=120, from SOAK_SEED=1, and look whether it holds
	$(SWIFT) build $(BENCHMARKS) --product soak
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/soak" \
		--server $(MEASURED) \
		--seconds $${SOAK_SECONDS:-120} --seed $${SOAK_SEED:-1} $(ARGS)

guard: dependencies ## Count the instructions of a fixed workload, where valgrind is to be had
	@.ci/install valgrind || true
	$(SWIFT) build $(BENCHMARKS) --product workload
	@Benchmarks/guard "$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/workload"

# One site of three modules. Coordinate has no warnings, and neither do the pages of the others; the comments in their Swift
# files may: DocC wants a description of fileID and line at every call. The site needs a server, since its scripts load the
# pages: from disk, browsers show nothing.
DOCUMENTED := --target Coordinate --target CoordinateServer --target CoordinateClient
docs: dependencies ## Build the documentation of the library, the server and the client into one site, .build/docs
	$(SWIFT) package --allow-writing-to-directory .build/docs generate-documentation \
		--target Coordinate --warnings-as-errors --output-path .build/docs
	@$(SWIFT) package --allow-writing-to-directory .build/docs generate-documentation $(DOCUMENTED) \
		--enable-experimental-combined-documentation --exclude-extended-types --output-path .build/docs \
		>.build/docs.log 2>&1 || { cat .build/docs.log; exit 1; }
	@! grep --before-context 1 --after-context 4 -- '--> [^ ]*\.md:' .build/docs.log
	@echo "To read it: python3 -m http.server --bind 127.0.0.1 --directory .build/docs 8000," \
		"then open http://127.0.0.1:8000/documentation/"

screenshots: dependencies ## Take the pictures of the inspector in README.md and its page again
	@.ci/install chromium chromedriver
	SCREENSHOTS=$(CURDIR)/Tests/InspectorTests/Screenshots $(SWIFT) test --filter PictureTests

format: toolchain ## Format every Swift file in place
	$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

lint: toolchain ## Check the formatting, which folders name which, and the tour, change nothing
	$(SWIFT) format lint --strict --recursive $(SWIFT_SOURCES)
	@.ci/arrows
	@.ci/tour

tics: ## List phrases that are not plain English; ARGS="Sources/JSON" restricts the search
	@.ci/tics $(ARGS)

clean: ## Throw away what was built
	rm -rf .build Benchmarks/.build Macros/.build Examples/Shop/.build

# The Swift toolchain is the one thing not installed for you.
toolchain:
	@command -v $(firstword $(SWIFT)) >/dev/null || { \
		echo "error: no Swift toolchain found. Coordinate needs Swift 6.2 or newer:" \
			"install it from https://www.swift.org/install and put it on your PATH." >&2; exit 1; }

dependencies: toolchain
	@.ci/install

# All but the page can be tested without one.
browser: toolchain
	@.ci/install chromium chromedriver || echo "Without chromium and chromedriver, the page is not tested." >&2

# All but the journal in PostgreSQL can be tested without one.
postgresql: toolchain
	@.ci/install postgresql || echo "Without PostgreSQL, its journal is not tested." >&2
