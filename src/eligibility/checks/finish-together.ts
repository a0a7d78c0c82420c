import type { Deps } from '../../deps.ts'
import type { Answered } from './check-store.ts'
import { finishCheck, finishChecks } from './finish-check.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'vault' | 'payers' | 'now' | 'newId'>

/**
 * Stores an answer with all that follows from it, or leaves it out where the check was taken from its holder.
 * @throws what the database said of this answer by itself.
 */
export type FinishTogether = (answer: Answered) => Promise<void>

/** A commit costs the database as much for forty checks as for one. */
const TOGETHER_MAX = 40
/** Large answers are not collected, because a statement is built and sent as a whole. */
const TOGETHER_CHARACTERS = 500_000

interface Waiting {
  answer: Answered
  done(): void
  fail(error: Error): void
}

/** How many of the first answers are written together, at least one. */
function fitting(queue: Waiting[]): number {
  let characters = 0
  const end = queue.slice(0, TOGETHER_MAX).findIndex(({ answer }) => {
    characters += answer.outcome.rawResponse?.length ?? 0
    return characters > TOGETHER_CHARACTERS
  })
  return end === -1 ? TOGETHER_MAX : Math.max(1, end)
}

/**
 * Writes the answers of an organization that arrived during the previous write in one transaction: a single answer does not wait, and many
 * hold the organization's change clocks for one commit instead of one each.
 */
export function createFinishTogether(deps: Needs): FinishTogether {
  const queues = new Map<string, Waiting[]>()

  async function work(organizationId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, fitting(queue))
      const answers = group.map(({ answer }) => answer)
      try {
        await finishChecks(deps, organizationId, answers)
        for (const { done } of group) done()
      } catch (error) {
        if (group.length === 1) group[0]?.fail(error as Error)
        else await oneByOne(group)
      }
    }
    queues.delete(organizationId)
  }

  /** An answer that cannot be stored must not affect the others. */
  async function oneByOne(group: Waiting[]): Promise<void> {
    for (const { answer, done, fail } of group) await finishCheck(deps, answer.check, answer.outcome).then(done, fail)
  }

  return (answer) =>
    new Promise((done, fail) => {
      const { organizationId } = answer.check
      const queue = queues.get(organizationId)
      if (queue) {
        queue.push({ answer, done, fail })
        return
      }
      const first = [{ answer, done, fail }]
      queues.set(organizationId, first)
      void work(organizationId, first)
    })
}

const waitedFor = new WeakMap<Needs['database'], FinishTogether>()

/** The same for answers with waiting callers: they do not queue behind those of a batch. */
export function finishForCaller(deps: Needs, answer: Answered): Promise<void> {
  const finish = waitedFor.get(deps.database) ?? createFinishTogether(deps)
  waitedFor.set(deps.database, finish)
  return finish(answer)
}
