// Calls that last are authenticated again while they last. decisions/0095-calls-that-last.md
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { WireError } from '../../contract/errors.ts'
import { permits } from './scopes.ts'

/**
 * How often a call that lasts is authenticated again. What a process knows of a credential is at most 5 s old, so a revocation, a changed
 * role or a lost scope ends the call within ten seconds.
 */
export const ADMISSION_CHECK_MS = 4_000

/** Disconnects the caller while the answer is being sent, as soon as the caller may no longer read it. */
export function disconnectWhenRefused(request: FastifyRequest, { raw }: FastifyReply, answer: Readable): void {
  const check = async () => {
    if (await isRefused(request)) raw.destroy()
  }
  const checking = setInterval(check, ADMISSION_CHECK_MS).unref()
  // Fastify also closes the answer when its reader leaves.
  if (answer.closed) clearInterval(checking)
  else answer.once('close', () => clearInterval(checking))
}

async function isRefused(request: FastifyRequest): Promise<boolean> {
  const { scope } = request.routeOptions.config
  try {
    const { scopes } = await request.verifyAgain()
    return scope !== undefined && !permits(scopes, scope)
  } catch (error) {
    // While the database is unavailable no caller is refused: the answer cannot continue then either.
    return error instanceof WireError && error.status === 401
  }
}
