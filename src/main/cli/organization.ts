import { v7 as uuidv7 } from 'uuid'
import {
  createOrganization,
  listOrganizations,
  type Organization,
  type OrganizationSettings,
  updateOrganization,
} from '../../platform/auth/clients.ts'
import type { SystemDatabase } from '../../platform/database/database.ts'
import { changeDatabase } from './program/change-database.ts'
import { type CommandLine, requireWord } from './program/command-line.ts'
import { printObject, printTable } from './program/output.ts'
import { readDays, readNpi, readOrigins } from './program/values.ts'
import { withDatabase } from './program/with-database.ts'
import { readVisitServices } from './visit-services.ts'

/** The setting of a flag of `organization update`; `read` throws a UsageError for an invalid value. */
interface SettingFlag {
  setting: keyof OrganizationSettings
  read(text: string, flag: string): OrganizationSettings[SettingFlag['setting']]
}

/** Of a flag whose choices are on and off. */
const isOn = (text: string) => text === 'on'

/** A new setting is one line here, its column and its flag in commands/organization.ts. */
const settingFlags: Record<string, SettingFlag> = {
  'allowed-origins': { setting: 'allowed_origins', read: readOrigins },
  'auto-update': { setting: 'auto_update_benefits', read: isOn },
  npi: { setting: 'npi', read: readNpi },
  verify: { setting: 'verification', read: isOn },
  'visit-services': { setting: 'visit_services', read: readVisitServices },
  'verify-days': { setting: 'verification_days', read: readDays },
}

export async function create(line: CommandLine): Promise<void> {
  const name = requireWord(line, 0, 'a name')
  const timeZone = line.flags['time-zone']
  const wanted = { name, ...(typeof timeZone === 'string' && { timeZone }) }
  const make = (database: SystemDatabase) => createOrganization(database, uuidv7, wanted)
  printObject(line, await changeDatabase('organization create', make, trailOf))
}

export async function update(line: CommandLine): Promise<void> {
  const idOrName = requireWord(line, 0, 'an organization')
  const changes = readSettings(line)
  const change = (database: SystemDatabase) => updateOrganization(database, idOrName, changes)
  printObject(line, await changeDatabase('organization update', change, trailOf))
}

export async function list(line: CommandLine): Promise<void> {
  printTable(line, await withDatabase(({ systemDatabase }) => listOrganizations(systemDatabase)))
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
