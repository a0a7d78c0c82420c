// The settings in force, and the source of each.
import { distance } from 'fastest-levenshtein'
import type { FastifyBaseLogger } from 'fastify'
import { Config, readDotenv } from '../../config.ts'
import { nearestTo } from '../../platform/http/nearest.ts'
import { settingMeanings } from '../../setting-meanings.ts'
import { findUnusedSettings, readServiceSettings } from '../service-settings.ts'
import type { CommandLine } from './program/command-line.ts'
import { printDiagnostic, printTable } from './program/output.ts'

const SECRET = /(PASSWORD|PASSPHRASE|SECRET|API_KEY|ACCESS_KEY|ENCRYPTION_KEY)/
/** Names of this program's settings start with these prefixes; an unknown name with such a prefix is misspelled. */
const OWN =
  /^(ANTEROOM|AUDIT|BACKUP|CHECK|CLEARINGHOUSE|CONNECTOR|CORE|DATABASE|ENCRYPTION|EVENT|IMAGE|MAX|METRICS|OIDC|PUBLIC|RATE|S3|SANDBOX|TLS|TOKEN|TRUSTED|WEBHOOK|WORKER)_/

interface ShownSetting {
  setting: string
  value: string
  from: 'environment' | '.env' | 'default'
  meaning: string
}

/** Prints every setting in force. @throws StartupError that lists what is wrong with them. */
export async function check(line: CommandLine): Promise<void> {
  const file = readDotenv()
  for (const { name, meant } of findUnknown({ ...file, ...process.env }))
    printDiagnostic(`anteroom: ${name} is not a setting and is ignored${meant ? `; is ${meant} meant?` : ''}`)
  const config = await readServiceSettings()
  const unused = findUnusedSettings(config)
  if (unused !== undefined) printDiagnostic(`anteroom: ${unused}`)
  const shown = describeSettings(config, process.env, file)
  if (line.flags.json) printTable(line, shown)
  else
    printTable(
      line,
      shown.map(({ meaning: _, ...each }) => each),
    )
}

/** For a start: a setting whose name is misspelled has no effect, nor one that needs another. */
export function warnOfIgnored(log: FastifyBaseLogger, config: Config): void {
  const unused = findUnusedSettings(config)
  if (unused !== undefined) log.warn(unused)
  for (const { name, meant } of findUnknown({ ...readDotenv(), ...process.env }))
    if (meant !== undefined) log.warn({ setting: name, meant }, 'this is not a setting and is ignored')
}

/** Secrets appear as `(set)`, regardless of their source. */
export function describeSettings(
  config: Config,
  environment: Record<string, string | undefined>,
  file: Record<string, string | undefined>,
): ShownSetting[] {
  return (Object.keys(Config.properties) as (keyof Config)[]).map((setting) => {
    const from = environment[setting] ? 'environment' : file[setting] ? '.env' : 'default'
    return { setting, value: mask(setting, config[setting]), from, meaning: settingMeanings[setting] }
  })
}

/** Names that look like settings but are not, each with the setting that is perhaps meant. */
export function findUnknown(set: Record<string, string | undefined>): { name: string; meant?: string }[] {
  return Object.keys(set)
    .filter((name) => !Object.hasOwn(Config.properties, name))
    .sort()
    .flatMap((name) => {
      const [meant = ''] = nearestTo(name, Object.keys(Config.properties), 1)
      // Short names of other programs, such as HOME, differ as little from a setting.
      if (name.length >= 8 && distance(name, meant) <= 2) return [{ name, meant }]
      return OWN.test(name) ? [{ name }] : []
    })
}

function mask(setting: string, value: unknown): string {
  if (value === undefined) return '(not set)'
  if (SECRET.test(setting) && !setting.endsWith('_FILE')) return '(set)'
  return typeof value === 'string' ? withoutCredentials(value) : String(value)
}

/** An address may contain a username and a password, and its query may contain secrets. */
function withoutCredentials(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  if (!URL.canParse(text)) return '(set)'
  const url = new URL(text)
  const isOpen = url.username === '' && url.password === '' && url.search === ''
  return isOpen
    ? text
    : `${url.protocol}//${url.username || url.password ? '(set)@' : ''}${url.host}${url.pathname}${url.search ? '?(set)' : ''}`
}
