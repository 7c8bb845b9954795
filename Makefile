# presentment: `make demo` shows the headline scenario, `make test` runs every test and every shipped scenario.

SHELL := /bin/bash -o pipefail
SOURCES := Package.swift Sources Tests docs/SampleProvider docs/examples/provider-app \
  docs/examples/relying-party-server
# One unoptimized build serves the commands and the tests: a module at a time and by one process, which takes less
# processor time than the files of a module in batches, and without information for debuggers. Other flags would build
# everything again.
BUILD := swift build -debug-info-format none \
  $(addprefix -Xswiftc ,-wmo -num-threads 2 -no-emit-module-separately-wmo)
PROGRAMS := .build/debug
# The optimized programs, which are those of the archive.
RELEASE := .build/release
# Tests that read damaged input in bulk are optimized in a folder of their own.
OPTIMIZED := -c release -Xswiftc -enable-testing --scratch-path .build/optimized
DEBIAN_PACKAGES := libssl-dev libsqlite3-dev
# The independent implementations in Tests/External/Interoperability, and those that the measures are compared with.
PYTHON_PACKAGES := cbor2==6.2.1 cryptography==50.0.2 jwcrypto==1.6.1
# Parsers of reports for tests: XML with its schema, TAP with YAML, HTML.
REPORT_PACKAGES := lxml==6.1.3 tap.py==3.2.1 more-itertools==11.2.1 PyYAML==6.0.3 html5lib==1.1
# A validator of schemas, a reader of YAML 1.2 and the schema of CycloneDX for tests.
SCHEMA_PACKAGES := jsonschema==4.26.0 ruamel.yaml==0.19.1 cyclonedx-python-lib==11.12.0
# The server of docs/your-server.md, for tests.
FLASK_PACKAGES := Flask==3.1.3
# Markdown and colors of code for the site.
SITE_PACKAGES := markdown-it-py==4.3.0 Pygments==2.21.0
# A terminal for tests.
TERMINAL_PACKAGES := pexpect==4.9.0 pyte==0.8.2
# A browser for tests, with a font for texts in Chinese, whose lines they measure.
BROWSER_PACKAGES := selenium==4.51.0 playwright==1.65.2 axe-playwright-python==0.1.8 pytest==9.2.0
BROWSER_DEBIAN_PACKAGES := chromium chromium-driver fonts-dejavu-core fonts-wqy-microhei
# A reader of QR codes for tests.
BARCODE_DEBIAN_PACKAGES := zbar-tools
# The client of tests of servers.
CLIENT_DEBIAN_PACKAGES := curl
# Another parser of TAP for tests.
REPORT_DEBIAN_PACKAGES := perl
# The check of the Debian package.
PACKAGING_DEBIAN_PACKAGES := lintian
# The container image, the empty root, and the shells whose completions the package has.
IMAGE_DEBIAN_PACKAGES := buildah debootstrap iproute2 curl zsh fish
# Packages that verify documents: measured beside ours, and as servers in tests of them.
NEIGHBOURS := pymdoccbor==1.4.0 isomdoc==0.0.5 sd-jwt==0.10.4

.PHONY: demo serve test check build scenarios planted-bugs soak surroundings examples vectors test-pages \
  test-every-byte test-exhaustive test-cluster test-verifiers reference site animation pictures bench bench-files \
  bench-page bench-import release dist list-contents package-debian image test-packages documentation \
  fuzz fuzz-all format lint setup python clean

# Builds what the story needs, and nothing else.
demo: build
	@$(PROGRAMS)/presentment run scenarios/headline --story

# The stage. WORLD=scenarios/worlds/any-site.yaml shows another world.
serve: build
	@.ci/quietly "build the web server" $(BUILD) --product presentment-serve
	@$(PROGRAMS)/presentment serve $(if $(WORLD),--world $(WORLD))

# Every test and every shipped scenario, each to its end; at last what failed, and how to repeat it.
test: setup python
	@.ci/setup $(BARCODE_DEBIAN_PACKAGES) $(CLIENT_DEBIAN_PACKAGES) $(REPORT_DEBIAN_PACKAGES)
	@[ "$$PRESENTMENT_WITHOUT_BROWSER" = 1 ] || .ci/setup $(BROWSER_DEBIAN_PACKAGES)
	@.ci/quietly "build" $(BUILD) --build-tests
	@.ci/run-tests

# For daily work: the tests without processes, sockets and browsers, then the linters. ONLY=HybridTransportTests runs
# those whose names match.
check: setup
	@.ci/quietly "build" $(BUILD) --build-tests
	@.ci/run-tests $(if $(ONLY),--only '$(ONLY)') pure
	@$(MAKE) --no-print-directory lint

# The command and the sandbox's programs, without the web server.
build: setup
	@.ci/quietly "build presentment" $(BUILD) --product presentment
	@.ci/quietly "build the sandbox" $(BUILD) --product presentment-sandbox
	@.ci/quietly "build the sandbox with faults" $(BUILD) --product presentment-faulty-sandbox

# Every shipped scenario.
scenarios: build
	@.ci/run-tests scenarios

# Bugs that `presentment explore` must find, each planted into the build.
planted-bugs: build
	@.ci/run-tests planted

# Repeats the tests with processes, sockets, terminals and browsers while the machine is busy: hours. ROUNDS=20
soak: setup python
	@.ci/quietly "build" $(BUILD) --build-tests
	@.build/venv/bin/python3 .ci/soak $(or $(ROUNDS),20)

# Every command in surroundings that go wrong, the quick rows; ALL=1 runs every row, ROWS="limits/ disks/" some.
surroundings: build
	@.ci/quietly "build the web server" $(BUILD) --product presentment-serve
	@python3 -B Tests/External/Surroundings/run.py $(PROGRAMS)/presentment $(if $(ALL),--all) $(ROWS)

# What verifier servers in Python accept, by `presentment test-verifier`, and a document of one's library in a world: minutes.
# ALL=1 takes each check out of the careful one, too, and tries the servers with answers of another wallet: half an hour.
test-verifiers: build
	@.ci/setup-python .build/venv-bench $(PYTHON_PACKAGES) $(NEIGHBOURS) $(FLASK_PACKAGES)
	@.build/venv-bench/bin/python3 -B Tests/External/Verifiers/suite.py $(PROGRAMS)/presentment --check
	@.ci/quietly "build the example server" $(BUILD) --product RelyingPartyServer
	@.build/venv-bench/bin/python3 -B Tests/External/Verifiers/test_example_server.py $(PROGRAMS)/presentment \
	  $(PROGRAMS)/RelyingPartyServer --all
	@.build/venv-bench/bin/python3 -B Tests/External/Verifiers/test_flask_server.py $(PROGRAMS)/presentment --all
	@.build/venv-bench/bin/python3 -B Tests/External/Verifiers/test_documents.py $(PROGRAMS)/presentment
ifdef ALL
	@.build/venv-bench/bin/python3 -B Tests/External/Verifiers/suite.py $(PROGRAMS)/presentment --planted
	@.build/venv-bench/bin/python3 -B Tests/External/Verifiers/test_verifiers.py $(PROGRAMS)/presentment
endif

# The examples as packages of their own, which depend on this one: minutes. `make test` builds them with the tests.
examples: setup
	@.ci/quietly "build docs/examples/relying-party-server" swift build -debug-info-format none \
	  --package-path docs/examples/relying-party-server --scratch-path .build/example-server
	@.ci/quietly "build docs/examples/provider-app" swift build -debug-info-format none \
	  --package-path docs/examples/provider-app --scratch-path .build/example-app
	@.ci/quietly "build the sandbox" swift build -debug-info-format none --product presentment-sandbox \
	  --package-path docs/examples/provider-app --scratch-path .build/example-app
	@cd docs/examples/provider-app && ../../../.build/example-app/debug/presentment-with-card run scenarios

# Fetches the known answers of other implementations into .build/vectors, for the tests that require them.
vectors:
	@.ci/fetch-vectors

# A million random sequences of events in a browser: minutes.
test-pages: setup
	@.ci/quietly "build" swift build $(OPTIMIZED) --build-tests
	@PRESENTMENT_PAGE_SEQUENCES=1000000 swift test $(OPTIMIZED) --skip-build --filter RandomPagesTests

# Every byte of every vector changed to one other value: minutes.
test-every-byte: setup
	@.ci/check-vectors
	@.ci/quietly "build" swift build $(OPTIMIZED) --build-tests
	@PRESENTMENT_EXHAUSTIVE=bytes swift test $(OPTIMIZED) --skip-build --filter MalformedInputTests

# Every byte of every vector changed to every other value: hours. READER=cbor limits it to one reader of untrusted bytes.
test-exhaustive: setup
	@.ci/check-vectors
	@.ci/quietly "build" swift build $(OPTIMIZED) --build-tests
	@PRESENTMENT_EXHAUSTIVE="$(or $(READER),1)" swift test $(OPTIMIZED) --skip-build --filter MalformedInputTests

# The example for Slurm, in a cluster of one node on this machine; not part of the gate.
test-cluster: release
	@.ci/setup slurm-wlm munge
	@.ci/test-cluster $(RELEASE)/presentment

bench: release
	@.ci/setup-python .build/venv-bench $(PYTHON_PACKAGES) $(NEIGHBOURS) $(FLASK_PACKAGES) \
	  || echo "measuring without $(NEIGHBOURS)" >&2
	@$(RELEASE)/presentment bench $(TOPICS)

# Every command on files from 1 KB to its limit. ROWS="diff lint" measures some, ALL=1 prints every content.
bench-files: release
	@python3 -B Tests/External/Sizes/run.py $(RELEASE)/presentment $(if $(ALL),--all) $(ROWS)

# What a package takes that imports one library product alone. PRODUCT=MobileDocument
bench-import: setup
	@.ci/measure-import $(PRODUCT)

# How soon the stage can be used, and how the trace page scrolls, in Chromium.
bench-page: release python
	@.ci/setup $(BROWSER_DEBIAN_PACKAGES)
	@.build/venv/bin/python3 -B Tests/External/Browser/first_use.py $(RELEASE)/presentment
	@.build/venv/bin/python3 -B Tests/External/Browser/frames.py $(RELEASE)/presentment

# The optimized programs, as the archive has them: across modules, with the libraries of Swift linked in.
release: setup
	@.ci/build-release

# An archive of the programs for machines without a Swift toolchain, in out.
dist: release
	@.ci/dist

# What the programs contain, in CycloneDX, in out.
list-contents: setup
	@.ci/quietly "resolve" swift package resolve
	@mkdir -p out
	@.ci/list-contents >out/presentment.cdx.json

# The Debian package of the archive, in out.
package-debian: dist
	@.ci/setup $(PACKAGING_DEBIAN_PACKAGES)
	@.ci/package-debian

# A container image of the package, in out, without a daemon; needs root.
image: package-debian
	@.ci/setup $(IMAGE_DEBIAN_PACKAGES)
	@.ci/image

# The archive and the package in an empty Debian without a toolchain and a network, and the image; needs root.
test-packages: image
	@.ci/test-packages
	@.ci/test-image

# make fuzz TARGET=cbor SECONDS=60; without a TARGET it lists the targets.
fuzz: setup
	@.ci/fuzz "$(TARGET)" "$(SECONDS)"

# Every target, SECONDS=60 for each or TIME=3600 for all, JOBS=2 at a time; KEEP=1 chooses the inputs in
# Tests/Fuzzing/Corpus again from what earlier runs found.
fuzz-all: setup
	@.ci/fuzz-all $(if $(SECONDS),--seconds $(SECONDS)) $(if $(TIME),--time $(TIME)) $(if $(JOBS),--jobs $(JOBS)) \
	  $(if $(KEEP),--keep) $(TARGET)

# Writes the generated parts of docs: tables of checks, faults, keys and events, and the output of commands.
reference: setup
	@.ci/quietly "build" $(BUILD) --build-tests
	@PRESENTMENT_WRITE_REFERENCE=1 .ci/run-tests --only 'ReferencePageTests|GuideOutputTests'

# The pages as a static site in .build/site, with the animation and the libraries if they have been made.
site:
	@.ci/setup-python .build/venv-site $(SITE_PACKAGES)
	@.build/venv-site/bin/python3 -B .ci/build-site .build/site \
	  $(if $(wildcard .build/animation/steps.json),--animation .build/animation) \
	  $(if $(wildcard out/documentation/*.doccarchive),--documentation out/documentation)
	@[ -e .build/animation/steps.json ] || echo "without the animation of the front page, which make animation makes"
	@[ -n "$(wildcard out/documentation/*.doccarchive)" ] || \
	  echo "without the symbols of the libraries, which make documentation makes"

# The animation of the site's front page in .build/animation, played on the stage in Chromium.
animation: build python
	@.ci/setup $(BROWSER_DEBIAN_PACKAGES)
	@.ci/quietly "build the web server" $(BUILD) --product presentment-serve
	@.build/venv/bin/python3 -B Tests/External/Browser/animation.py $(PROGRAMS)/presentment .build/animation

# The pictures in docs/pictures, taken in Chromium.
pictures: build python
	@.ci/setup $(BROWSER_DEBIAN_PACKAGES)
	@.ci/quietly "build the web server" $(BUILD) --product presentment-serve
	@.build/venv/bin/python3 -B Tests/External/Browser/pictures.py $(PROGRAMS)/presentment docs/pictures

# The documentation of the library products, as archives of docc.
documentation: setup
	@.ci/quietly "build" $(BUILD) --product presentment
	@.ci/check-documentation --out out/documentation

format:
	@swift format --in-place --recursive $(SOURCES)

lint: setup
	@swift format lint --strict --recursive $(SOURCES)
	@.ci/check-determinism
	@.ci/check-widths
	@.ci/check-imports
	@.ci/check-links
	@.ci/check-tests

clean:
	rm -rf .build out

setup:
	@.ci/setup $(DEBIAN_PACKAGES)

python:
	@.ci/setup-python .build/venv $(PYTHON_PACKAGES) $(TERMINAL_PACKAGES) $(BROWSER_PACKAGES) $(REPORT_PACKAGES) \
	  $(SCHEMA_PACKAGES) $(SITE_PACKAGES) $(FLASK_PACKAGES)
	@.ci/setup-junit-schemas .build/venv/bin/python3 .build/junit
