# presentment: `make demo` shows the headline scenario, `make test` runs every test and every shipped scenario.

SHELL := /bin/bash
SOURCES := Package.swift Sources Tests docs/SampleProvider
# Worlds run on their own threads; more than the cores there are gains nothing.
JOBS := $(shell n=$$(nproc 2>/dev/null || echo 1); echo $$((n < 256 ? n : 256)))
DEBIAN_PACKAGES := libssl-dev libsqlite3-dev

.PHONY: demo test bench fuzz format lint setup release clean

demo: release
	@.build/release/presentment run scenarios/headline --story

test: setup
	swift build --build-tests
	swift test --skip-build
	.build/debug/presentment run scenarios --jobs $(JOBS) --second-opinion

bench: release
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

clean:
	rm -rf .build

setup:
	@.ci/setup $(DEBIAN_PACKAGES)
