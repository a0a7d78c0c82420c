import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Answered } from './check-store.ts'
import { finishCheck, finishChecks } from './finish-check.ts'

/** Finishes the answered checks of a worker, as many in one transaction as came in while the one before was written. */
export interface Finisher {
  /** Resolves when the answer is stored, or will not be: the check was taken from this worker, or its lease will run out. */
  finish(answer: Answered): Promise<void>
}

/** A commit costs the database as much for forty checks as for one. */
const TOGETHER_MAX = 40

interface Waiting {
  answer: Answered
  done(): void
}

export function createFinisher(deps: Deps, log: FastifyBaseLogger): Finisher {
  const queues = new Map<string, Waiting[]>()

  async function work(organizationId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, TOGETHER_MAX)
      const answers = group.map(({ answer }) => answer)
      // One that cannot be stored must not keep the others from it.
      await finishChecks(deps, organizationId, answers).catch(() => oneByOne(answers))
      for (const { done } of group) done()
    }
    queues.delete(organizationId)
  }

  async function oneByOne(answers: Answered[]): Promise<void> {
    for (const { check, outcome } of answers) {
      await finishCheck(deps, check, outcome).catch((error: Error) =>
        log.error({ type: error.name, checkId: check.id }, 'the answer to a check could not be stored'),
      )
    }
  }

  return {
    finish: (answer) =>
      new Promise((done) => {
        const { organizationId } = answer.check
        const queue = queues.get(organizationId)
        if (queue) {
          queue.push({ answer, done })
          return
        }
        const first = [{ answer, done }]
        queues.set(organizationId, first)
        void work(organizationId, first)
      }),
  }
}
