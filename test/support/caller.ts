import type { InjectOptions } from 'fastify'

/** An answer: the status, the headers and the parsed body (undefined if there is none). */
export interface Reply {
  status: number
  headers: Record<string, unknown>
  // Tests read answers like a client without types.
  // biome-ignore lint/suspicious/noExplicitAny: a JSON answer of any operation
  body: any
  text: string
}

/** One organization with one client, with which a test calls the service. Every test creates its own. */
export interface Caller {
  organizationId: string
  credentials: { client_id: string; client_secret: string }
  token: string
  call(method: InjectOptions['method'], url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** The id of a pending eligibility check, which no answer of the interface contains. */
  newCheckId(): Promise<string>
}
