import { v7 as uuidv7 } from 'uuid'
import { recordCommand } from '../../platform/audit/administration.ts'
import { seed as makeData } from '../../tools/seed/seed.ts'
import { chooseOrganization } from './program/choose-organization.ts'
import type { CommandLine } from './program/command-line.ts'
import { printObject, progressOf } from './program/output.ts'
import { withDatabase } from './program/with-database.ts'

const PATIENTS = 200
const APPOINTMENTS = 1000

/** Adds invented records to an organization and prints how many; progress goes to stderr. */
export async function seed(line: CommandLine): Promise<void> {
  const patients = Number(line.flags.patients ?? PATIENTS)
  const appointments = Number(line.flags.appointments ?? APPOINTMENTS)
  const made = await withDatabase(async (database) => {
    const { systemDatabase } = database
    const organizationId = await chooseOrganization(systemDatabase, line)
    await recordCommand(database, 'seed', { organizationId })
    const deps = { database, systemDatabase, newId: uuidv7, now: () => new Date() }
    return makeData(deps, { organizationId, patients, appointments }, progressOf('patients and appointments'))
  })
  printObject(line, made)
}
