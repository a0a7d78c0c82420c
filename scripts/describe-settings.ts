import { Config, expectedOf } from '../src/config.ts'
import { settingMeanings } from '../src/setting-meanings.ts'

/** docs/settings.md: every setting with its default and its limits. */
export function describeSettings(): string {
  const rows = Object.entries(Config.properties).map(([name, schema]) => {
    const { default: value } = schema as { default?: unknown }
    return `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${settingMeanings[name as keyof Config]}${limitsOf(schema)} |`
  })
  return `${[...HEADING, ...rows].join('\n')}\n`
}

/** Numbers and lengths; the meaning of a setting states everything else that it must be. */
function limitsOf(schema: object): string {
  if (
    !['minimum', 'maxLength'].some((limit) => limit in schema) &&
    !((schema as { minLength?: number }).minLength! > 1)
  )
    return ''
  const expected = expectedOf(schema) ?? ''
  return `. ${expected.charAt(0).toUpperCase()}${expected.slice(1)}`
}

const HEADING = [
  '# Settings',
  '',
  '<!-- Generated from src/setting-meanings.ts by `npm run generate`. Do not edit. -->',
  '',
  'Settings come from the environment, or from a file `.env` in the working folder. All of them are optional. A start with',
  'invalid settings reports all of them at once, opens nothing, and ends. `anteroom config check` shows the settings in force, and the same faults.',
  '',
  '| Setting | Default | Meaning |',
  '|---|---|---|',
]
