import { Config } from '../src/config.ts'
import { settingMeanings } from '../src/setting-meanings.ts'

/** docs/settings.md: every setting with its default. */
export function describeSettings(): string {
  const rows = Object.entries(Config.properties).map(([name, schema]) => {
    const { default: value } = schema as { default?: unknown }
    return `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${settingMeanings[name as keyof Config]} |`
  })
  return `${[...HEADING, ...rows].join('\n')}\n`
}

const HEADING = [
  '# Settings',
  '',
  '<!-- Generated from src/setting-meanings.ts by `npm run generate`. Do not edit. -->',
  '',
  'Settings come from the environment, or from a file `.env` in the working folder. All of them are optional. A start with',
  'invalid settings reports all of them at once and ends.',
  '',
  '| Setting | Default | Meaning |',
  '|---|---|---|',
]
