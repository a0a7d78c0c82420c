import type { Database } from '../../platform/database/database.ts'

/** The SQL of a control number that no other interchange of this service has. */
export const CONTROL_NUMBER = `nextval('interchange_control_number')`

const controlNumberStatement = { name: 'interchange_control_number', text: `select ${CONTROL_NUMBER}` }

/** For a check that is not stored. */
export async function nextControlNumber(database: Database): Promise<number> {
  const row = await database.row(controlNumberStatement, [])
  return Number(row?.[0])
}
