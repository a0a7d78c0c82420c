import { type StoreDeps, UnknownConnector } from '../../clearinghouses/connector-store.ts'
import type { Actor } from '../../contract/actor.ts'
import { badRequest, notFound } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { recordWrite } from '../../platform/audit/pending.ts'
import { holdOrganization } from '../../platform/auth/hold-organization.ts'
import { StartupError } from '../../platform/startup-error.ts'

export type ConnectorNeeds = Pick<Deps, 'database' | 'vault' | 'connectorNetworks' | 'now'>

export const storeOf = ({ database, vault, connectorNetworks }: ConnectorNeeds): StoreDeps => ({
  database,
  vault,
  connectorNetworks,
})

/**
 * Changes connectors or routes of the caller's organization, one change at a time, and writes the audit event of the
 * change, both or neither. The event names the connector, never a payer id, which may be any text that the caller sent.
 */
export function change<T>(
  deps: ConnectorNeeds,
  actor: Actor,
  { operation, what, connector: id }: { operation: string; what: 'Connector' | 'Payer route'; connector?: string },
  work: (store: StoreDeps) => Promise<T>,
): Promise<T> {
  return deps.database.transaction(async (transaction) => {
    await holdOrganization(transaction, actor.organizationId)
    const result = await withInterfaceErrors(what, () => work({ ...storeOf(deps), database: transaction }))
    await recordWrite(transaction, actor, { name: operation, type: 'connector', ids: id === undefined ? [] : [id] })
    return result
  })
}

/** Turns errors of the connector store into errors of the interface. @throws BadRequestError, NotFoundError */
export async function withInterfaceErrors<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnknownConnector) throw notFound(what)
    if (error instanceof StartupError) throw badRequest(error.message, error)
    throw error
  }
}
