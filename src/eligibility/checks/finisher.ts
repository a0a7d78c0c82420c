import type { Deps } from '../../deps.ts'
import type { LogFailure } from '../../platform/failure-log.ts'
import type { Answered } from './check-store.ts'
import { finishCheck, finishChecks } from './finish-check.ts'
import { finishSurely } from './finish-surely.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'vault' | 'payers' | 'now' | 'newId'>

/** Finishes the answered checks of a worker, as many in one transaction as came in while the one before was written. */
export interface Finisher {
  /** Resolves when the answer is stored, or will not be: the check was taken from this worker, or the worker ends. */
  finish(answer: Answered): Promise<void>
}

/** A commit costs the database as much for forty checks as for one. */
const TOGETHER_MAX = 40
/** Nor are large answers held back to be written together: a statement is made and sent in one go. */
const TOGETHER_CHARACTERS = 500_000

interface Waiting {
  answer: Answered
  done(): void
}

/** How many of the first are written together, at least one. */
function fitting(queue: Waiting[]): number {
  let characters = 0
  const end = queue.slice(0, TOGETHER_MAX).findIndex(({ answer }) => {
    characters += answer.outcome.rawResponse?.length ?? 0
    return characters > TOGETHER_CHARACTERS
  })
  return end === -1 ? TOGETHER_MAX : Math.max(1, end)
}

/** What cannot be stored is given up when `signal` says so. */
export function createFinisher(deps: Needs, options: { logFailure: LogFailure; signal: AbortSignal }): Finisher {
  const { signal } = options
  const queues = new Map<string, Waiting[]>()

  async function work(organizationId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, fitting(queue))
      const answers = group.map(({ answer }) => answer)
      try {
        await finishChecks(deps, organizationId, answers)
        for (const { done } of group) done()
      } catch {
        await oneByOne(group)
      }
    }
    queues.delete(organizationId)
  }

  /** One that cannot be stored must keep no other from it: it is tried again beside them. */
  async function oneByOne(group: Waiting[]): Promise<void> {
    for (const { answer, done } of group) {
      await finishCheck(deps, answer.check, answer.outcome).then(done, () => {
        void insist(answer).then(done)
      })
    }
  }

  function insist({ check, outcome }: Answered): Promise<unknown> {
    const logFailure = (error: Error) =>
      options.logFailure('the answer to a check could not be stored', error, { checkId: check.id })
    return finishSurely(deps, check, outcome, { signal, logFailure }).catch(logFailure)
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
