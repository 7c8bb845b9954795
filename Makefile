# presentment: `make demo` shows the headline scenario, `make test` runs every test and every shipped scenario.

SHELL := /bin/bash -o pipefail
SOURCES := Package.swift Sources Tests docs/SampleProvider
# One optimized build serves the commands, the tests and the scenarios; other flags would build everything again.
OPTIMIZED := -c release -Xswiftc -enable-testing
# Worlds run on their own threads; more threads than cores gain nothing.
JOBS := $(shell n=$$(nproc 2>/dev/null || echo 1); echo $$((n < 256 ? n : 256)))
DEBIAN_PACKAGES := libssl-dev libsqlite3-dev
# The independent implementation in Tests/External/Interoperability, and the one that the measures are compared with.
PYTHON_PACKAGES := cbor2==6.2.1 cryptography==50.0.2
# Parsers of reports for tests: XML with its schema, TAP with YAML, HTML.
REPORT_PACKAGES := lxml==6.1.3 tap.py==3.2.1 more-itertools==11.2.1 PyYAML==6.0.3 html5lib==1.1
# A terminal for tests.
TERMINAL_PACKAGES := pexpect==4.9.0 pyte==0.8.2
# A browser for tests.
BROWSER_PACKAGES := selenium==4.51.0 playwright==1.65.2 axe-playwright-python==0.1.8
BROWSER_DEBIAN_PACKAGES := chromium chromium-driver fonts-dejavu-core
# A reader of QR codes for tests.
BARCODE_DEBIAN_PACKAGES := zbar-tools
# Another parser of TAP for tests.
REPORT_DEBIAN_PACKAGES := perl
NEIGHBOURS := pymdoccbor==1.4.0 isomdoc==0.0.5

.PHONY: demo serve test check scenarios test-pages test-every-byte test-exhaustive test-cluster reference bench bench-page \
  dist fuzz format lint setup python release clean

demo: release
	@.build/release/presentment run scenarios/headline --story

serve: release
	@.build/release/presentment serve

# Every test and every shipped scenario, optimized, as people run them.
test: setup python
	@.ci/setup $(BARCODE_DEBIAN_PACKAGES) $(REPORT_DEBIAN_PACKAGES)
	@[ "$$PRESENTMENT_WITHOUT_BROWSER" = 1 ] || .ci/setup $(BROWSER_DEBIAN_PACKAGES)
	@.ci/quietly "build" swift build $(OPTIMIZED) --build-tests
	@PRESENTMENT_PYTHON="$(CURDIR)/.build/venv/bin/python3" \
	  PRESENTMENT_BROWSER=$$([ "$$PRESENTMENT_WITHOUT_BROWSER" = 1 ] || echo 1) \
	  .ci/run-tests $(OPTIMIZED) --skip-build
	@.ci/run-scenarios .build/release/presentment --jobs $(JOBS) --cross-check
	@.build/venv/bin/python3 .ci/find-planted-bugs

# For daily work: an unoptimized build, every test without a browser, the linters.
check: setup python
	@.ci/quietly "build" swift build --build-tests
	@PRESENTMENT_PYTHON="$(CURDIR)/.build/venv/bin/python3" PRESENTMENT_WITHOUT_BROWSER=1 .ci/run-tests --skip-build
	@$(MAKE) --no-print-directory lint

# Every shipped scenario.
scenarios: release
	@.ci/run-scenarios .build/release/presentment --jobs $(JOBS)

# A million random sequences of events in a browser: minutes.
test-pages: setup
	@.ci/quietly "build" swift build $(OPTIMIZED) --build-tests
	@PRESENTMENT_PAGE_SEQUENCES=1000000 .ci/run-tests $(OPTIMIZED) --skip-build --filter RandomPagesTests

# Every byte of every vector changed to one other value: minutes.
test-every-byte: setup
	@.ci/check-vectors
	@.ci/quietly "build" swift build $(OPTIMIZED) --build-tests
	@PRESENTMENT_EXHAUSTIVE=bytes .ci/run-tests $(OPTIMIZED) --skip-build --filter MalformedInputTests

# Every byte of every vector changed to every other value: hours. READER=cbor limits it to one reader of untrusted bytes.
test-exhaustive: setup
	@.ci/check-vectors
	@.ci/quietly "build" swift build $(OPTIMIZED) --build-tests
	@PRESENTMENT_EXHAUSTIVE="$(or $(READER),1)" .ci/run-tests $(OPTIMIZED) --skip-build --filter MalformedInputTests

# The example for Slurm, in a cluster of one node on this machine; not part of the gate.
test-cluster: release
	@.ci/setup slurm-wlm munge
	@.ci/test-cluster .build/release/presentment

bench: release
	@.ci/setup-python .build/venv-bench $(PYTHON_PACKAGES) $(NEIGHBOURS) || echo "measuring without $(NEIGHBOURS)" >&2
	@.build/release/presentment bench

# How soon the stage can be used, and how the trace page scrolls, in Chromium.
bench-page: release python
	@.ci/setup $(BROWSER_DEBIAN_PACKAGES)
	@.build/venv/bin/python3 -B Tests/External/Browser/first_use.py .build/release/presentment
	@.build/venv/bin/python3 -B Tests/External/Browser/frames.py .build/release/presentment

# An archive of the programs for machines without a Swift toolchain, in out.
dist: setup
	@.ci/dist

# make fuzz TARGET=cbor SECONDS=60; without a TARGET it lists the targets.
fuzz: setup
	@.ci/fuzz "$(TARGET)" "$(SECONDS)"

# Writes the generated parts of docs: tables of checks, faults, keys and events, and the output of commands.
reference: setup
	@.ci/quietly "build" swift build --build-tests
	@PRESENTMENT_WRITE_REFERENCE=1 .ci/run-tests --skip-build --filter 'ReferencePageTests|GuideOutputTests'

release: setup
	@.ci/quietly "build presentment" swift build $(OPTIMIZED) --product presentment
	@.ci/quietly "build the sandbox" swift build $(OPTIMIZED) --product presentment-sandbox
	@.ci/quietly "build the sandbox with faults" swift build $(OPTIMIZED) --product presentment-faulty-sandbox

format:
	@swift format --in-place --recursive $(SOURCES)

lint: setup
	@swift format lint --strict --recursive $(SOURCES)
	@.ci/check-determinism
	@.ci/check-widths
	@.ci/check-imports
	@.ci/check-links
	@.ci/check-prose

clean:
	rm -rf .build

setup:
	@.ci/setup $(DEBIAN_PACKAGES)

python:
	@.ci/setup-python .build/venv $(PYTHON_PACKAGES) $(TERMINAL_PACKAGES) $(BROWSER_PACKAGES) $(REPORT_PACKAGES)
	@.ci/setup-junit-schemas .build/venv/bin/python3 .build/junit
