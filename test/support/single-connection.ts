import type { Clearinghouses, Connection } from '../../src/clearinghouses/clearinghouses.ts'

/** One connector for every organization and payer. */
export function singleConnection(connection: Connection): Clearinghouses {
  return {
    forPayer: async () => connection,
    named: async (_organizationId, name) => (name === connection.name ? connection : undefined),
    standard: async () => connection,
  }
}
