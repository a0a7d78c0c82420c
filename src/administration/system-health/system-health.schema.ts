// What the console shows of the state of the service, an extension of the interface. Source: docs/runbook.md.
import { type Static, Type } from 'typebox'

export const HealthFinding = Type.Object({
  what: Type.Enum([
    'database',
    'checks',
    'payers',
    'connectors',
    'audit trail',
    'webhooks',
    'storage',
    'payer directory',
  ]),
  state: Type.Enum(['ok', 'warning', 'fault']),
  /** The state in words, and what to do when something is wrong. */
  says: Type.String(),
})
export type HealthFinding = Static<typeof HealthFinding>

export const SystemHealth = Type.Object({
  findings: Type.Array(HealthFinding),
  versions: Type.Object({
    anteroom: Type.String(),
    node: Type.String(),
    postgresql: Type.Optional(Type.String()),
  }),
})
