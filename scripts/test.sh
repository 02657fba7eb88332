#!/usr/bin/env bash
# `npm test`: gets what the tests need, as far as this machine allows, and runs them all. Arguments go to vitest.
#
# Tools to compare with are installed where that is possible and are otherwise left out, with a note. In CI (CI=true)
# a missing tool makes the tests that need it fail instead.

set -eu
cd "$(dirname "$0")/.."

[ -d node_modules ] || npm ci
bash scripts/install-test-tools.sh
if [ "${CI:-}" = true ]; then
  export LAZULI_REQUIRE_TOOLS="${LAZULI_REQUIRE_TOOLS:-1}"
fi
exec npx vitest run "$@"
