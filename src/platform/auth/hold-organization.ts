import type { Database } from '../database/database.ts'

const holdStatement = {
  name: 'organization_hold',
  text: 'select 1 from organization where id = $1 for no key update',
}

/** Until the transaction ends, others who call this for the organization wait: its administration is changed one change at a time. */
export async function holdOrganization(transaction: Pick<Database, 'rows'>, organizationId: string): Promise<void> {
  await transaction.rows(holdStatement, [organizationId])
}
