# presentment: `make demo` shows the headline scenario, `make test` runs every test and every shipped scenario.

SHELL := /bin/bash
SOURCES := Package.swift Sources Tests docs/SampleProvider
# Worlds run on their own threads; more than the cores there are gains nothing.
JOBS := $(shell n=$$(nproc 2>/dev/null || echo 1); echo $$((n < 256 ? n : 256)))
DEBIAN_PACKAGES := libssl-dev libsqlite3-dev
# What the independent implementation in Tests/External/Interoperability stands on, and whom the measures are compared with.
PYTHON_PACKAGES := cbor2==6.2.1 cryptography==50.0.2
# What a terminal is played by.
TERMINAL_PACKAGES := pexpect==4.9.0 pyte==0.8.2
# What a browser is played by, and the browser.
BROWSER_PACKAGES := selenium==4.51.0 playwright==1.65.2
BROWSER_DEBIAN_PACKAGES := chromium chromium-driver fonts-dejavu-core
NEIGHBOURS := pymdoccbor==1.4.0 isomdoc==0.0.5

.PHONY: demo serve test test-every-byte test-exhaustive fault-table bench fuzz format lint setup release clean

demo: release
	@.build/release/presentment run scenarios/headline --story

serve: release
	@.build/release/presentment serve

test: setup
	@[ "$$PRESENTMENT_WITHOUT_BROWSER" = 1 ] || .ci/setup $(BROWSER_DEBIAN_PACKAGES)
	@.ci/check-vectors
	@.ci/setup-python .build/venv $(PYTHON_PACKAGES) $(TERMINAL_PACKAGES) $(BROWSER_PACKAGES)
	swift build --build-tests
	PRESENTMENT_PYTHON="$(CURDIR)/.build/venv/bin/python3" \
	  PRESENTMENT_BROWSER=$$([ "$$PRESENTMENT_WITHOUT_BROWSER" = 1 ] || echo 1) swift test --skip-build
	@# Optimized, as people run it: what the compiler then makes of the program is tried by no test. They judge each with
	@# another seed.
	@$(MAKE) --no-print-directory release
	.build/release/presentment run scenarios --jobs $(JOBS) --second-opinion

# Every byte of every vector changed to some other value, in some minutes.
test-every-byte: setup
	@.ci/check-vectors
	swift build --build-tests
	PRESENTMENT_EXHAUSTIVE=bytes swift test --skip-build --filter MalformedInputTests

# Every byte of every vector changed to every other value, for hours; READER=cbor for one reader of strangers' bytes.
test-exhaustive: setup
	@.ci/check-vectors
	swift build -c release -Xswiftc -enable-testing --build-tests
	PRESENTMENT_EXHAUSTIVE="$(or $(READER),1)" swift test -c release -Xswiftc -enable-testing --skip-build \
	  --filter MalformedInputTests

# Writes docs/faults.md anew from the scenarios.
fault-table: setup
	swift build --build-tests
	PRESENTMENT_WRITE_FAULT_TABLE=1 swift test --skip-build --filter FaultTableTests

bench: release
	@.ci/setup-python .build/venv-bench $(PYTHON_PACKAGES) $(NEIGHBOURS) || echo "measuring without $(NEIGHBOURS)" >&2
	@.build/release/presentment bench

# make fuzz TARGET=cbor SECONDS=60; without a TARGET it lists those there are.
fuzz: setup
	@.ci/fuzz "$(TARGET)" "$(SECONDS)"

release: setup
	@swift build -c release --product presentment
	@swift build -c release --product presentment-sandbox

format:
	swift format --in-place --recursive $(SOURCES)

lint: setup
	swift format lint --strict --recursive $(SOURCES)
	@.ci/check-determinism
	@.ci/check-widths
	@.ci/check-imports

clean:
	rm -rf .build

setup:
	@.ci/setup $(DEBIAN_PACKAGES)
