import { type Static, Type } from 'typebox'
import { settingsOfAnyKind } from '../../clearinghouses/connector-kinds.ts'

const name = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,49}$' })

/** By the kind: docs/clearinghouses.md. A secret that says `(set)` keeps its stored value while the addresses stay as they are. */
const settings = settingsOfAnyKind

export const NewConnector = Type.Object({
  name,
  kind: Type.Enum(['core', 'stedi', 'availity']),
  settings,
})
export type NewConnector = Static<typeof NewConnector>

export const ConnectorSettings = Type.Object({ settings })

export const ConnectorSummary = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  /** Every payer without a route of its own is asked through it. */
  is_default: Type.Boolean(),
  /** The organization chose its address: it reaches the public Internet only. */
  public_only: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})

/** Secrets are `(set)`. */
export const Connector = Type.Object({ ...ConnectorSummary.properties, settings })

export const ConnectorTest = Type.Object({
  /** A payer that the other side reaches; not needed where it can be asked for its payers. */
  payer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  /** Of a provider that is enrolled with the payer. */
  npi: Type.Optional(Type.String({ pattern: '^\\d{10}$' })),
})

export const ConnectorTestResult = Type.Object({ works: Type.Boolean(), explanation: Type.String() })

export const MutablePayerRoute = Type.Object({
  connector: name,
  /** What the other side calls this payer, where it is another id. */
  connector_payer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
})

export const PayerRoute = Type.Object({
  /** `default` for every payer without a route of its own. */
  payer_id: Type.String(),
  connector: Type.String(),
  connector_payer_id: Type.Optional(Type.String()),
})
