import { CONNECTOR_KINDS } from '../src/clearinghouses/connector-kind-names.ts'
import { schemaOfKind } from '../src/clearinghouses/connector-kinds.ts'
import { commonMeanings, connectorSettingMeanings } from '../src/clearinghouses/connector-setting-meanings.ts'
import { commonSettings } from '../src/clearinghouses/connector-settings.ts'
import { expectedOf } from '../src/config.ts'

/** docs/connector-settings.md: every setting of each kind of connector, with what it may be. */
export function describeConnectorSettings(): string {
  const kinds = CONNECTOR_KINDS.map((kind) => {
    const { properties, required = [] } = schemaOfKind(kind) as { properties: Settings; required?: string[] }
    return tableOf(`\`${kind}\``, properties, { ...connectorSettingMeanings[kind] }, required)
  })
  return [...HEADING, ...kinds, tableOf('Every kind', commonSettings, { ...commonMeanings }, [])].join('\n')
}

type Settings = Readonly<Record<string, object>>
type Setting = object & { 'x-secret'?: boolean; default?: unknown }

function tableOf(
  title: string,
  settings: Settings,
  meanings: Record<string, string>,
  required: readonly string[],
): string {
  const rows = Object.entries(settings).flatMap(([name, schema]: [string, Setting]) => {
    const meaning = meanings[name]
    if (meaning === undefined) return []
    const facts = [required.includes(name) ? 'required' : '', schema['x-secret'] ? 'secret' : '', valuesOf(schema)]
    return [`| \`${name}\` | ${meaning} | ${facts.filter((fact) => fact !== '').join('; ')} |`]
  })
  return [`## ${title}`, '', '| Setting | Meaning | Values |', '|---|---|---|', ...rows, ''].join('\n')
}

function valuesOf(schema: Setting): string {
  const { enum: values, minimum } = schema as { enum?: string[]; minimum?: number }
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  const preset = schema.default === undefined ? '' : `, \`${schema.default}\` unless set`
  return minimum === undefined ? '' : `${expectedOf(schema)}${preset}`
}

const HEADING = [
  '# Settings of connectors',
  '',
  '<!-- Generated from src/clearinghouses/connector-setting-meanings.ts by `npm run generate`. Do not edit. -->',
  '',
  'The settings of a connector that an organization stores are a JSON object; [clearinghouses.md](clearinghouses.md) shows how it is created. In a file for',
  'the command line, `tls` may name files instead of containing their text: `caFile`, `certFile` and `keyFile`, relative to the file. Those of the',
  'connector of the whole service are the settings that begin with `CLEARINGHOUSE_` ([settings.md](settings.md)). Of several values the first is used unless the setting is given.',
  '',
]
