import type { Clearinghouse } from './clearinghouse.ts'

/** A connector as an organization uses it. */
export interface Connection {
  /** What operators call it; unique within the organization. */
  name: string
  clearinghouse: Clearinghouse
  /** What it speaks, for the metrics: `core`, `stedi`, `availity`, `sandbox`. */
  kind?: string
  /** For how long a check that could not be answered is asked again in the background, counted from its initiation. */
  retryForMs: number
  /** After how many outages in a row a payer is left alone for a while; Infinity for never. */
  breakAfter?: number
}

/** Which connector asks which payer for which organization. */
export interface Clearinghouses {
  /** The organization's route for this payer, else the organization's default, else the connector of the settings. */
  forPayer(organizationId: string, payerId: string): Promise<Connection>
  /** The organization's connector of this name; undefined when there is none. */
  named(organizationId: string, name: string): Promise<Connection | undefined>
  /** The organization's default, else the connector of the settings. */
  standard(organizationId: string): Promise<Connection>
}

/** One connector for every organization and payer: what the settings give, before an organization has its own. */
export function alwaysThis(connection: Connection): Clearinghouses {
  return {
    forPayer: async () => connection,
    named: async (_organizationId, name) => (name === connection.name ? connection : undefined),
    standard: async () => connection,
  }
}
