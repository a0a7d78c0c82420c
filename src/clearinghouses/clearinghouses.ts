import type { Clearinghouse } from './clearinghouse.ts'

/** A connector in use by an organization. */
export interface Connection {
  /** The name chosen by operators; unique within the organization. */
  name: string
  clearinghouse: Clearinghouse
  /** Its protocol, for the metrics: `core`, `stedi`, `availity`, `sandbox`. */
  kind?: string
  /** How long a failed check is retried in the background, counted from its initiation. */
  retryForMs: number
  /** The number of consecutive outages of a payer after which its circuit opens; Infinity for never. */
  breakAfter?: number
}

/** Selects the connector for a payer and an organization. */
export interface Clearinghouses {
  /** The organization's route for this payer, else the organization's default, else the connector of the settings. */
  forPayer(organizationId: string, payerId: string): Promise<Connection>
  /** The organization's connector of this name; undefined when there is none. */
  named(organizationId: string, name: string): Promise<Connection | undefined>
  /** The organization's default, else the connector of the settings. */
  standard(organizationId: string): Promise<Connection>
}
