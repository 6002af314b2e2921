# `make` alone lists the targets. Each does its own set-up: nothing has to be installed or activated first.
.DEFAULT_GOAL := help
.PHONY: help demo test test-server test-store test-pipeline test-spark test-lake test-cli test-slow check format bench truth programs warehouses soak mutation fuzz kills lock clean setup oracle page class-archive test-page marquez-web pictures recordings

PYTHON ?= python3
# Another Spark to test with: make test SPARK=3.5.9
SPARK ?=
# How many random queries `make truth` runs, or programs `make programs`, and which.
N ?= 1000
SEED ?= 1
# Other Sparks to test with after this one: make test SPARKS="3.5.9 4.3.0"
SPARKS ?=
# The one benchmark to run: make bench ONLY=page
ONLY ?=
# The folder of Marquez's sources: make marquez-web MARQUEZ=../marquez
MARQUEZ ?=
# Extra arguments for pytest: make test ARGS="-k union"
ARGS ?=
# How many groups of tests run beside each other; each then prints when it is done. A group waits for processes that it
# starts about as often as it keeps a core busy. JOBS=1 prints as it goes.
JOBS ?= $(shell [ "$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" -gt 1 ] && echo 3 || echo 1)
# Hundreds of short programs import the same modules: Python compiles each once, whatever the environment says, and
# leaves nothing among the sources.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/bytecode

# With another Spark only what starts Spark is run again. What needs Iceberg and Delta has a process of its own: a JVM
# takes its jars when it starts. With ARGS there may be no test for one of the two, which is exit code 5.
# The path is absolute: some tests start programs in folders of their own.
WITH_SPARK := $(if $(SPARK),PYTHONPATH="$(CURDIR)/.venv/spark-$(SPARK)")
PYTEST := $(WITH_SPARK) .venv/bin/python -m pytest
WITHOUT_LAKE := $(if $(SPARK),"spark and not lake and not slow","not lake and not slow")
WITH_LAKE := $(if $(SPARK),"spark and lake","lake and not slow")
SOME := $(if $(ARGS),|| [ $$? -eq 5 ])
# Neither Iceberg nor Delta has a build for Spark 4.3 yet.
LAKES := $(if $(filter 4.3.%,$(SPARK)),,tests/capture/connectors)
# A group of tests. Alone it fails as any target does. Under `make test`, which sets RESULTS, it writes down how it ended
# and after how many seconds, and the groups after it run whatever that was.
GROUP = $@$(if $(SPARK), on Spark $(SPARK))
WRITE = printf '%s\t%s\t%s\n' "$$code" "$$seconds" "$(GROUP)" >>$(RESULTS)
group = $(if $(RESULTS),begun=$$(date +%s); ( $(1) ); code=$$?; seconds=$$(($$(date +%s) - begun)); $(WRITE),$(1))
# Thousands of tests write small files, and wait until each is on the disk; in memory it is there at once. PostgreSQL
# writes there as a user of its own.
IN_MEMORY = if [ -z "$$TMPDIR" ] && [ "$$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -n 1)" -ge 4 ] \
	2>/dev/null; then memory=$$(mktemp -d -p /dev/shm) && chmod 1777 "$$memory" && export TMPDIR="$$memory"; fi
# How all of them ended, and an error if one failed.
REPORT = awk -F '\t' '{ printf "%s %6d s  %s\n", $$1 ? "FAILED" : "passed", $$2, $$3; if ($$1) failed = failed ", " $$3 } \
	END { if (failed) { print "failed: " substr(failed, 3); exit 1 } }'

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:
	@$(PYTHON) scripts/bootstrap.py $(if $(SPARK),--spark $(SPARK))

# DataHub's own package, which the tests compare with; capture tests on another Spark do without.
oracle: setup
	@$(if $(SPARK),,$(PYTHON) scripts/bootstrap.py --datahub)

# What `headwater serve` shows at /.
page: setup
	@$(if $(SPARK),,$(PYTHON) scripts/page.py build)

demo: setup page ## three days of a food-delivery warehouse, and the story of its columns
	@.venv/bin/headwater demo

# The groups that a group depends on come before it; they need not pass. The longest come first.
test: oracle page class-archive ## all tests but the slow; SPARK=3.5.9 runs the capture tests on that Spark, ARGS= goes to pytest, JOBS=1 prints as it goes
	@$(IN_MEMORY); results=$$(mktemp) && trap 'rm -rf "$$results" $${memory:+"$$memory"}' EXIT && \
	trap 'exit 1' INT TERM && \
	{ $(MAKE) --no-print-directory --keep-going $(if $(filter-out 1,$(JOBS)),-j$(JOBS) --output-sync=target) RESULTS=$$results \
		test-spark $(if $(SPARK),,test-page test-server) test-lake $(if $(SPARK),,test-pipeline) \
		$(SPARKS:%=on-spark-%) $(if $(SPARK),,test-cli) \
		|| printf '1\t0\tnot every group could be run\n' >>"$$results"; } && \
	$(REPORT) "$$results"

# The tests' JVMs start in half the time with an archive of Spark's classes; made once.
class-archive: setup
	@$(WITH_SPARK) .venv/bin/python -m tests.quick_java

# The page: its logic, and all of it in a browser.
test-page: page
	@$(call group,$(PYTHON) scripts/page.py test; logic=$$?; $(PYTHON) scripts/page.py e2e && exit $$logic)

# Not with the other tests: it takes Marquez's sources, which are not here, and minutes to build them.
marquez-web: setup ## Marquez's own web app in front of this server, every screen in a browser: MARQUEZ=a checkout of Marquez
	@$(PYTHON) scripts/marquez_web.py "$(MARQUEZ)"

pictures: setup page ## take the pictures in docs/ anew, from the demo in a browser
	@HEADWATER_PICTURES=$(CURDIR)/docs/pictures HEADWATER_STRICT_SKIPS=1 $(PYTEST) -q --basetemp=/tmp/food-delivery \
		tests/capture/test_run_and_demo.py -k in_a_browser

recordings: setup ## record the plans of tests/cases anew: SPARK=3.5.9 on that Spark, SPARKS="3.5.9 4.3.0" on those as well
	@$(WITH_SPARK) .venv/bin/python -m tests.record_cases
	@set -e; for version in $(SPARKS); do $(MAKE) --no-print-directory recordings SPARK=$$version SPARKS=; done

# What starts no Spark in the test's own process: servers and their clients, which are waited for, and the rest.
test-server:
	@$(call group,$(PYTEST) -m "not lake" tests/server tests/client $(ARGS) $(SOME))

test-store:
	@$(call group,$(PYTEST) -m "not lake" $(addprefix --ignore=tests/,capture lake pipeline cli server client) $(ARGS) $(SOME))

# After what needs no Spark, to be no third one beside the two.
test-pipeline: test-store test-page
	@$(call group,$(PYTEST) -m "not lake and not slow" tests/pipeline tests/lake $(ARGS) $(SOME))

test-spark:
	@$(call group,$(PYTEST) -m $(WITHOUT_LAKE) tests/capture --ignore=tests/capture/connectors $(ARGS) $(SOME))

# Short, and so named last: it fills the row that is free first.
test-cli: test-page
	@$(call group,$(PYTEST) -m "not lake" tests/cli $(ARGS) $(SOME))

test-lake:
	@$(if $(LAKES),$(call group,$(PYTEST) -m $(WITH_LAKE) $(LAKES) $(ARGS) $(SOME)))

# After the shortest group, in its row: it then goes on while the others are at their first. A Spark that cannot be
# installed is a group that failed.
on-spark-%: test-page
	@if $(MAKE) --no-print-directory class-archive SPARK=$*; then \
		for group in test-spark test-lake; do $(MAKE) --no-print-directory $$group SPARK=$* SPARKS=; done; else $(call group,false); fi

test-slow: setup ## kills, full disks, clusters, streams, Iceberg, Delta and Kafka under the whole pipeline
	@$(PYTEST) -m "slow and not lake" tests/pipeline tests/capture $(ARGS) $(SOME)
	@$(PYTEST) -m "slow and lake" tests/lake tests/pipeline $(ARGS) $(SOME)

kills: setup ## end servers and databases by kill -9 under load: N=200 kills of each, then the store is held to one ingest
	@.venv/bin/python -m tests.server.kill_rounds --kills $(if $(filter command line,$(origin N)),$(N),200) --seed $(SEED)

check: setup ## lint, format and types, nothing changed
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@.venv/bin/mypy
	@.venv/bin/lint-imports --no-cache
	@$(PYTHON) scripts/page.py check

format: setup ## write the formatting and the safe fixes
	@.venv/bin/ruff check --fix
	@.venv/bin/ruff format

# One that fails does not hide the figures of the others.
bench: oracle page ## the benchmarks under benchmarks/; ONLY=page runs that one
	@failed=; for file in benchmarks/bench_$(or $(ONLY),*).py; do .venv/bin/python $$file || failed="$$failed $$file"; done; \
		[ -z "$$failed" ] || { echo "failed:$$failed" >&2; exit 1; }

truth: class-archive ## random queries, their inputs changed one by one: N=1000 SEED=1; goes on where it was stopped
	@.venv/bin/python -m tests.truth.run --queries $(N) --seed $(SEED)

programs: class-archive ## random programs, tracked into a store and run again with other inputs: N=1000 SEED=1; goes on where it was stopped
	@.venv/bin/python -m tests.truth.programs.run --programs $(N) --seed $(SEED)

warehouses: class-archive ## random warehouses, whose answers about impact and personal data are held to what Spark does: N=300 SEED=1
	@.venv/bin/python -m tests.truth.warehouses.run --warehouses $(if $(filter command line,$(origin N)),$(N),300) --seed $(SEED)

soak: class-archive ## 2,000 random statements in one application: memory, threads and what is remembered stay flat
	@.venv/bin/python -m tests.truth.programs.soak --seed $(SEED)

fuzz: setup ## odd requests to a server, and what it makes of them: N=100000 SEED=1; ARGS=--postgresql for that store
	@.venv/bin/python -m tests.fuzz.run --requests $(if $(filter command line,$(origin N)),$(N),100000) --seed $(SEED) $(ARGS)

mutation: setup ## small changes to the rules, the folds and the walks, each of which a test must notice: N=400 SEED=1
	@.venv/bin/python -m tests.mutation.run --mutants $(if $(filter command line,$(origin N)),$(N),400) --seed $(SEED)

lock: setup ## pin the newest versions that pyproject.toml allows, without any registry's address
	@.venv/bin/uv pip compile pyproject.toml --universal --python-version 3.10 --all-extras --group dev \
		--constraint scripts/spark-default.txt --upgrade --generate-hashes --no-annotate --no-header --no-emit-index-url \
		--quiet --output-file requirements.lock
	@.venv/bin/uv pip compile scripts/datahub-oracle.in --universal --python-version 3.10 --upgrade --no-annotate \
		--no-header --no-emit-index-url --quiet --output-file scripts/datahub-oracle.lock
	@.venv/bin/uv pip compile scripts/connect.in --universal --python-version 3.10 --upgrade --no-annotate \
		--no-header --no-emit-index-url --quiet --output-file scripts/connect.lock
	@! grep -nE 'https?://' requirements.lock scripts/datahub-oracle.lock scripts/connect.lock

clean: ## remove the environment, caches and what the demo and the tests left
	rm -rf .venv web/node_modules web/artefacts src/headwater/server/pages/web .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist headwater-demo headwater.db* spark-warehouse
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
