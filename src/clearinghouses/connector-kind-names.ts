/** The kinds of connectors. `connector-kinds.ts` has the settings and the factory of each. */
export const CONNECTOR_KINDS = ['core', 'stedi', 'availity'] as const
export type ConnectorKindName = (typeof CONNECTOR_KINDS)[number]
