// Connectors to clearinghouses on the wire, an extension of the interface. Source: docs/clearinghouses.md.
import { type Static, Type } from 'typebox'
import { CONNECTOR_KINDS } from '../../clearinghouses/connector-kind-names.ts'
import { settingsOfAnyKind } from '../../clearinghouses/connector-kinds.ts'

const name = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,49}$' })

/**
 * Depends on the kind: docs/clearinghouses.md. A secret given as `(set)` keeps its stored value while the addresses
 * stay unchanged.
 */
const settings = settingsOfAnyKind

export const NewConnector = Type.Object({
  name,
  kind: Type.Enum(CONNECTOR_KINDS),
  settings,
})
export type NewConnector = Static<typeof NewConnector>

export const ConnectorSettings = Type.Object({ settings })

export const ConnectorSummary = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  /** Used for payers without a route. */
  is_default: Type.Boolean(),
  /** True when the organization chose its address: it may then connect to the public Internet only. */
  public_only: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})

/** Secrets appear as `(set)`. */
export const Connector = Type.Object({ ...ConnectorSummary.properties, settings })

export const ConnectorTest = Type.Object({
  /** A payer that the clearinghouse reaches; not needed when the clearinghouse lists its payers. */
  payer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  /** The NPI of a provider that is enrolled with the payer. */
  npi: Type.Optional(Type.String({ pattern: '^\\d{10}$' })),
})

export const ConnectorTestResult = Type.Object({ works: Type.Boolean(), explanation: Type.String() })

export const MutablePayerRoute = Type.Object({
  connector: name,
  /** The clearinghouse's id for this payer, when it differs. */
  connector_payer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
})

export const PayerRoute = Type.Object({
  /** `default` for all payers without a route. */
  payer_id: Type.String(),
  /** In lists, of a payer that the payer directory has. */
  payer_name: Type.Optional(Type.String()),
  connector: Type.String(),
  connector_payer_id: Type.Optional(Type.String()),
})
