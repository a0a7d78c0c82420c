import { v7 as uuidv7 } from 'uuid'
import { leaveEvent } from '../audit/administration.ts'
import { findOrganization, listOrganizations } from '../auth/clients.ts'
import type { WholeDatabase } from '../database/database.ts'
import { seed as makeData } from '../seed/seed.ts'
import { type CommandLine, printObject, UsageError } from './command-line.ts'
import { withDatabase } from './with-database.ts'

const PATIENTS = 200
const APPOINTMENTS = 1000
/** The clinic's patient numbers have seven digits. */
const MAX = 9_999_999

/** Adds made-up records to an organization and prints how many; progress goes to stderr. */
export async function seed(line: CommandLine): Promise<void> {
  const patients = countIn(line, 'patients', PATIENTS)
  if (patients === 0) throw new UsageError('--patients must be at least 1')
  const appointments = countIn(line, 'appointments', APPOINTMENTS)
  const made = await withDatabase(async (database) => {
    const { acrossOrganizations } = database
    const organizationId = await chooseOrganization(acrossOrganizations, line.flags.organization)
    await leaveEvent(database, 'seed', { organizationId })
    const deps = { database, acrossOrganizations, newId: uuidv7, now: () => new Date() }
    return makeData(deps, { organizationId, patients, appointments }, progressOn(process.stderr))
  })
  printObject(line, made)
}

function countIn(line: CommandLine, flag: string, otherwise: number): number {
  const text = line.flags[flag]
  if (text === undefined) return otherwise
  const count = Number(text)
  if (!/^\d+$/.test(String(text)) || count > MAX) throw new UsageError(`--${flag} must be a number from 0 to ${MAX}`)
  return count
}

async function chooseOrganization(database: WholeDatabase, asked: string | boolean | undefined): Promise<string> {
  if (typeof asked === 'string') return (await findOrganization(database, asked)).organization_id
  const [only, ...others] = await listOrganizations(database)
  if (only && others.length === 0) return only.organization_id
  throw new UsageError(`--organization is needed: there ${only ? 'are several' : 'is none yet'}`)
}

const BAR_WIDTH = 30

/** A bar that fills on a terminal; elsewhere a line for every tenth, which a log can hold. */
function progressOn(stream: NodeJS.WriteStream): (done: number, all: number) => void {
  const number = new Intl.NumberFormat('en')
  let tenths = 0
  return (done, all) => {
    const text = `${number.format(done)} of ${number.format(all)} patients and appointments`
    if (stream.isTTY) {
      const bar = '#'.repeat(Math.floor((done / all) * BAR_WIDTH)).padEnd(BAR_WIDTH, '.')
      stream.write(`\r[${bar}] ${text}${done === all ? '\n' : ''}`)
      return
    }
    const reached = Math.floor((done / all) * 10)
    if (reached > tenths) stream.write(`${text}\n`)
    tenths = reached
  }
}
