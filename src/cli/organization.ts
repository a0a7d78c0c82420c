import { v7 as uuidv7 } from 'uuid'
import {
  createOrganization,
  listOrganizations,
  type Organization,
  type OrganizationSettings,
  updateOrganization,
} from '../auth/clients.ts'
import type { WholeDatabase } from '../database/database.ts'
import { isNpi } from '../x12/npi.ts'
import { changeDatabase } from './change-database.ts'
import { type CommandLine, printObject, printTable, requireWord, UsageError } from './command-line.ts'
import { readDays } from './verify-days.ts'
import { readVisitServices } from './visit-services.ts'
import { withDatabase } from './with-database.ts'

/** What a flag of `organization update` sets; `read` throws a UsageError for text that it does not understand. */
interface SettingFlag {
  setting: keyof OrganizationSettings
  read(text: string, flag: string): OrganizationSettings[SettingFlag['setting']]
}

/** A new setting is one line here, its column and its flag in cli.ts. */
const settingFlags: Record<string, SettingFlag> = {
  'auto-update': { setting: 'auto_update_benefits', read: onOrOff },
  npi: { setting: 'npi', read: readNpi },
  verify: { setting: 'verification', read: onOrOff },
  'visit-services': { setting: 'visit_services', read: readVisitServices },
  'verify-days': { setting: 'verification_days', read: readDays },
}

export async function organization(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'create': {
      const name = requireWord(line, 1, 'a name')
      const timeZone = line.flags['time-zone']
      const wanted = { name, ...(typeof timeZone === 'string' && { timeZone }) }
      const create = (database: WholeDatabase) => createOrganization(database, uuidv7, wanted)
      return printObject(line, await changeDatabase('organization create', create, trailOf))
    }
    case 'update': {
      const idOrName = requireWord(line, 1, 'an organization')
      const changes = readSettings(line)
      const update = (database: WholeDatabase) => updateOrganization(database, idOrName, changes)
      return printObject(line, await changeDatabase('organization update', update, trailOf))
    }
    case 'list':
      return printTable(line, await withDatabase(({ acrossOrganizations }) => listOrganizations(acrossOrganizations)))
    default:
      throw new UsageError('organization takes create, update or list')
  }
}

const trailOf = ({ organization_id: organizationId }: Organization) => ({
  organizationId,
  type: 'organization',
  ids: [organizationId],
})

function readSettings({ flags }: CommandLine): Partial<OrganizationSettings> {
  const given = Object.entries(settingFlags).flatMap(([flag, { setting, read }]) => {
    const text = flags[flag]
    return typeof text === 'string' ? [[setting, read(text, flag)] as const] : []
  })
  return Object.fromEntries(given)
}

function onOrOff(text: string, flag: string): boolean {
  if (text !== 'on' && text !== 'off') throw new UsageError(`--${flag} takes on or off`)
  return text === 'on'
}

function readNpi(text: string, flag: string): string {
  if (!isNpi(text))
    throw new UsageError(`--${flag} must be a National Provider Identifier: ten digits with a check digit`)
  return text
}
