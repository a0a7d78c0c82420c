import { distribute } from '../../platform/database/distribute.ts'
import { print } from './program/output.ts'
import { withDatabase } from './program/with-database.ts'

export async function runDistribution(): Promise<void> {
  const { distributed, reference } = await withDatabase(({ systemDatabase }) => distribute(systemDatabase))
  print(`${distributed} tables are distributed by organization, ${reference} are the same on every server`)
}
