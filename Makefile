# All tasks of a contributor. `make` alone lists them.
#
#   make serve ARGS="--port 9000"                options for the server
#   make test ARGS="--filter NavigationTests"  options for the test run

SWIFT ?= swift
ARGS ?=

SWIFT_SOURCES := Sources Tests Benchmarks/Sources Macros/Sources Macros/Tests Package.swift Benchmarks/Package.swift \
	Macros/Package.swift Examples/Shop/Sources Examples/Shop/Tests Examples/Shop/Package.swift \
	Examples/Notes/Sources Examples/Notes/Tests Examples/Notes/Package.swift Examples/TextJournal/Sources \
	Examples/TextJournal/Package.swift Examples/clients/swift
# Links Swift's library statically, like Dockerfile: calls into the shared library cost a third of a request's time.
RESOURCES := $(shell $(SWIFT) -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
STATIC := $(if $(wildcard $(RESOURCES)_static),--static-swift-stdlib)
RELEASE := -c release --product coordinate-server $(STATIC)
BENCHMARKS := -c release --package-path Benchmarks $(STATIC)
# The server as built by Benchmarks, so that its modules are built once.
MEASURED = "$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/coordinate-server"
# What make bench runs. A build of everything includes GRDB as a shared library, which cannot link Swift's statically.
COMPARED := bare hummingbird-app hummingbird-peer store-bare store-pages workload
# The in-process benchmarks are built by a plugin that does not know STATIC, and soak's URLSession needs the development
# files of libcurl with it. A separate folder avoids full rebuilds.
IN_PROCESS := $(CURDIR)/Benchmarks/.build/in-process
SOAK := -c release --package-path Benchmarks --scratch-path $(IN_PROCESS)
# The compiler uses only the last of its -sanitize options, so one option names both. libFuzzer has the main function.
FUZZ := -c release --scratch-path .build/fuzz --product fuzz --sanitize fuzzer --sanitize address \
	-Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library

# A thousand tests at once, many of them with servers, slow each other down. If this version of Swift has the option, a
# limited number runs at a time, which is faster.
WIDTH = $(shell $(SWIFT) test --help-hidden 2>/dev/null | grep -q -e '--experimental-maximum-parallelization-width' \
	&& echo --experimental-maximum-parallelization-width 8)

# Builds and tests with the browser's tests and the examples, see Package.swift. They share the folder of `make test`, so
# that the library is compiled once.
ALL := CHECK=1 $(SWIFT)
# The debug builds of the programs, which the tests of a server from outside use.
SERVER = "$$($(ALL) build --show-bin-path)/coordinate-server"
SHOP_SERVER = "$$($(ALL) build --show-bin-path)/shop-server"

.DEFAULT_GOAL := help
.PHONY: help serve test check nightly sanitize page browser examples histories walks torture standbys determinism fuzz programs conform clients agents compatibility build measured bench attack soak guard docs screenshots format lint tics clean toolchain dependencies chromium

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1	\2/p' $(MAKEFILE_LIST) | expand -t 14

serve: build ## Build the server and run it; pass options with ARGS="--port 9000"
	@exec "$$($(SWIFT) build $(RELEASE) --show-bin-path)/coordinate-server" serve $(ARGS)

# PostgreSQL is tested if it is installed; REQUIRE_POSTGRESQL=1 installs it.
test: dependencies ## Run the tests of the library, the sessions, the stores and the server; ARGS="--filter NavigationTests" selects some
	@$(if $(REQUIRE_POSTGRESQL),.ci/install postgresql jq haproxy)
	$(SWIFT) test $(WIDTH) $(ARGS)

check: ## Run everything that a change must pass, and print a table of its steps and times; ARGS="lint docs" selects steps
	@.ci/check $(ARGS)

nightly: ## Run the suites that take long, each once, and print a table of what they tried; ARGS="fuzz soak" selects some
	@.ci/nightly $(ARGS)

# The suites that call C, share memory, or create and free trees. Suites that start other processes are left out,
# because those are built without it. Leaks are not checked: the tests' own client leaks in libcurl below URLSession,
# and a test of lanes leaves jobs unfinished on purpose. `make soak` finds leaks of the server.
SANITIZED := Coordinate|CoordinateSQLite|CoordinateServer|CoordinateSessions|Fairness|JSON|MicroHTTPD|Racing

sanitize: dependencies ## Run the tests of the library, the sessions and the server under AddressSanitizer
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --sanitize=address --scratch-path .build/sanitize $(WIDTH) \
		--filter '^($(SANITIZED))Tests\.' $(ARGS)

page: ## Test the page's modules that need no browser, with node, and check their types
	@.ci/install node
	node --test $(ARGS) Tests/page/*.test.js
	@.ci/install tsc
	tsc --project jsconfig.json

browser: dependencies chromium ## Test the inspector and the pages in a browser
	$(ALL) test $(WIDTH) $(or $(ARGS),--filter '^(Inspector|ShopWeb)Tests\.')

examples: dependencies ## Test the examples and the macros; the first build of swift-syntax takes minutes
	$(ALL) test $(WIDTH) --filter '^(Notes|Shop|ShopServer)Tests\.'
	$(SWIFT) test --package-path Macros
	@for package in Examples/Notes Examples/Shop Examples/TextJournal; do \
		$(SWIFT) package --package-path $$package show-dependencies >/dev/null 2>.build/manifest.log \
		|| { cat .build/manifest.log; exit 1; }; done

histories: dependencies ## Test ten thousand random histories of servers with a faulty journal
	RANDOM_HISTORIES=10000 $(SWIFT) test --filter RandomHistoryTests $(ARGS)

walks: dependencies ## Walk at random through an app of every kind of coordinator, WALKS=20000 times from WALK_SEED
	WALKS=$${WALKS:-20000} $(SWIFT) test --filter '^CoordinateTests\.WalkTests' $(ARGS)

determinism: dependencies ## Record DETERMINISM_EVENTS=50000 random events, and replay them in another process
	DETERMINISM_EVENTS=$${DETERMINISM_EVENTS:-50000} $(SWIFT) test --filter DeterminismTests $(ARGS)

torture: dependencies ## Kill servers and PostgreSQL under load: TORTURE_KILLS=100 times in all, from TORTURE_SEED=1
	@.ci/install postgresql
	TORTURE_KILLS=$${TORTURE_KILLS:-100} $(SWIFT) test --filter TortureTests $(ARGS)

standbys: dependencies ## Promote standbys of PostgreSQL that has writers, twice each, without servers
	@.ci/install postgresql
	STANDBYS=1 $(SWIFT) test --filter StandbyTests $(ARGS)

fuzz: dependencies ## Fuzz the parsers, each for FUZZ_SECONDS=60; select one with ARGS="json"
	FUZZING=1 $(SWIFT) build $(FUZZ)
	@.ci/fuzz "$$(FUZZING=1 $(SWIFT) build $(FUZZ) --show-bin-path)/fuzz" $(ARGS)

programs: dependencies
	$(ALL) build --product coordinate-server
	$(ALL) build --product shop-server

conform: programs ## Test the server against its OpenAPI description with schemathesis; change the seed with ARGS="--seed 7"
	@Tests/conform/run $(SERVER) $(ARGS)

clients: programs ## Generate clients from the OpenAPI description, compile them, and run a flow with each; ARGS="swift" selects one
	@Tests/clients/run $(SHOP_SERVER) $(ARGS)

agents: programs ## Test the tools for agents with the official SDKs of the Model Context Protocol, Python and TypeScript; select a test with ARGS="-k shop"
	@Tests/agents/run $(SERVER) $(SHOP_SERVER) $(ARGS)

compatibility: programs ## Test the server over sockets here and on Debian 13; select tests with ARGS="refusal"
	@.ci/compatibility $(SERVER) $(ARGS)

build: dependencies ## Build the server, optimized
	$(SWIFT) build $(RELEASE)

measured: dependencies
	$(SWIFT) build $(BENCHMARKS) --product coordinate-server

# Another commit's server is built in a work tree of its own.
AGAINST ?=
OTHERS = $(addprefix --against .build/against/,$(AGAINST))

bench: measured ## Compare with libmicrohttpd and Hummingbird, and write Benchmarks/RESULTS.md in half an hour; ARGS="--quick" is shorter; AGAINST="COMMIT" compares with another commit instead
	@.ci/install wrk
	@.ci/install hey postgresql
ifneq ($(AGAINST),)
	for commit in $(AGAINST); do \
		test -d .build/against/$$commit || git worktree add --detach .build/against/$$commit $$commit || exit; \
		$(SWIFT) build -c release $(STATIC) --package-path .build/against/$$commit/Benchmarks \
			--product coordinate-server || exit; done
	$(SWIFT) build $(BENCHMARKS) --product bench
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/bench" --server $(MEASURED) $(OTHERS) $(ARGS)
else
	for program in $(COMPARED) bench; do $(SWIFT) build $(BENCHMARKS) --product $$program || exit; done
	$(SWIFT) package --package-path Benchmarks --scratch-path $(IN_PROCESS) --allow-writing-to-directory $(IN_PROCESS) \
		benchmark --format jmh --path $(IN_PROCESS) --no-progress --quiet
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/bench" \
		--server $(MEASURED) \
		--in-process $(IN_PROCESS)/Current_run.jmh.json $(ARGS)
endif

attack: measured ## Attack the server and measure the effects on other clients; select an attack with ARGS="long-replay"
	$(SWIFT) build $(BENCHMARKS) --product attack
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/attack" \
		--server $(MEASURED) $(ARGS)

soak: measured ## Keep the server under load for SOAK_SECONDS=120, from SOAK_SEED=1, and check it
	$(SWIFT) build $(SOAK) --product soak
	"$$($(SWIFT) build $(SOAK) --show-bin-path)/soak" \
		--server $(MEASURED) \
		--seconds $${SOAK_SECONDS:-120} --seed $${SOAK_SEED:-1} $(ARGS)

guard: dependencies ## Count the instructions of a fixed workload with valgrind
	@.ci/install valgrind
	$(SWIFT) build $(BENCHMARKS) --product workload
	@Benchmarks/guard "$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/workload"

# Builds one site of three modules. The pages of CoordinateServer and CoordinateClient have no warnings, but comments in their
# Swift files may, because DocC wants a description of fileID and line at every call. DocC's pages load their content with
# scripts, which need a server. `.ci/site` writes it into the pages, so that they can also be read from disk.
DOCUMENTED := --target Coordinate --target CoordinateServer --target CoordinateClient
docs: dependencies ## Build the documentation of the library, the server and the client into one site, .build/docs
	@.ci/install python3
	$(ALL) package --allow-writing-to-directory .build/docs generate-documentation \
		--target Coordinate --warnings-as-errors --output-path .build/docs
	@$(ALL) package --allow-writing-to-directory .build/docs generate-documentation $(DOCUMENTED) \
		--enable-experimental-combined-documentation --exclude-extended-types --output-path .build/docs \
		>.build/docs.log 2>&1 || { cat .build/docs.log; exit 1; }
	@! grep --before-context 1 --after-context 4 -- '--> [^ ]*\.md:' .build/docs.log
	@.ci/site .build/docs
	@echo "To read it, open .build/docs/index.html in a browser. To search its names as well:" \
		"python3 -m http.server --bind 127.0.0.1 --directory .build/docs 8000," \
		"then open http://127.0.0.1:8000/documentation/"

screenshots: dependencies chromium ## Update the pictures of the inspector in README.md and its page
	SCREENSHOTS=$(CURDIR)/Tests/InspectorTests/Screenshots $(ALL) test --filter PictureTests

format: toolchain ## Format every Swift file in place
	$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

lint: toolchain ## Check the formatting, which folders name which, the tour, and the English
	$(SWIFT) format lint --strict --recursive $(SWIFT_SOURCES)
	@.ci/arrows
	@.ci/tour
	@.ci/install python3
	@.ci/tics

tics: ## List phrases that are not plain English; ARGS="Sources/JSON" restricts the search
	@.ci/tics $(ARGS)

clean: ## Delete everything that was built
	rm -rf .build Benchmarks/.build Macros/.build Examples/*/.build

# The Swift toolchain is not installed automatically.
toolchain:
	@command -v $(firstword $(SWIFT)) >/dev/null || { \
		echo "error: no Swift toolchain found. Coordinate needs Swift 6.2 or newer:" \
			"install it from https://www.swift.org/install and put it on your PATH." >&2; exit 1; }

dependencies: toolchain
	@.ci/install

# Chromium without its own interface opens a page in half the time. Some systems have only the other one.
chromium: toolchain
	@.ci/install chromium-headless-shell chromedriver || .ci/install chromium chromedriver
	@Tests/axe/install
