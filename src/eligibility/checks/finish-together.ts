import type { Deps } from '../../deps.ts'
import type { Answered } from './check-store.ts'
import { finishCheck, finishChecks } from './finish-check.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'vault' | 'payers' | 'now' | 'newId'>

/**
 * Stores an answer with everything that follows from it, or leaves it out when another holder has taken over the check.
 * @throws the database error of this answer alone.
 */
type FinishTogether = (answer: Answered) => Promise<void>

/** A commit costs the database as much for forty checks as for one. */
export const TOGETHER_MAX = 40
/** Large answers are not collected, because a statement is built and sent as a whole. */
const TOGETHER_CHARACTERS = 500_000

/**
 * The groups of one organization that are written at a time. A group spends most of its time waiting for PostgreSQL and for turns of this
 * process; only the recommendations hold a change clock, until the commit.
 */
const WRITTEN_AT_A_TIME = 2

/** How long an answer without a waiting caller is held for others to join it. */
const GATHERED_FOR_MS = 50

interface Waiting {
  answer: Answered
  done(): void
  fail(error: Error): void
}

/** The answers of one organization that wait to be stored. */
interface Line {
  waiting: Waiting[]
  writers: number
  /** Ends the gathering: there are as many as are written together. */
  full?: (() => void) | undefined
}

/** The place of the first answer that exceeds what is written together; undefined while there is room for more. */
function findEnd(waiting: Waiting[]): number | undefined {
  let characters = 0
  const end = waiting.findIndex(({ answer }, index) => {
    characters += answer.outcome.rawResponse?.length ?? 0
    return index === TOGETHER_MAX || characters > TOGETHER_CHARACTERS
  })
  return end === -1 ? undefined : end
}

/** Another answer would not be written together with these. */
const isFull = (waiting: Waiting[]) => waiting.length >= TOGETHER_MAX || findEnd(waiting) !== undefined

/**
 * Writes the answers of an organization that arrived during the previous write in one transaction: a single answer does not wait, and many
 * hold the organization's change clocks for one commit instead of one each. A full group does not wait for the previous write either. While
 * more answers are expected, a group that is not full waits a moment for them (decisions/0065-gathered-answers.md).
 */
export function createFinishTogether(deps: Needs, moreToCome: () => boolean = () => false): FinishTogether {
  const lines = new Map<string, Line>()

  async function write(organizationId: string, line: Line): Promise<void> {
    const { waiting } = line
    line.writers += 1
    // One of the writers gathers; the other ends.
    while (waiting.length > 0 && !line.full) {
      if (!isFull(waiting) && moreToCome()) await gather(line)
      const group = waiting.splice(0, Math.max(1, findEnd(waiting) ?? TOGETHER_MAX))
      // The other writer may have taken those that were gathered.
      if (group.length === 0) break
      const answers = group.map(({ answer }) => answer)
      try {
        await finishChecks(deps, organizationId, answers)
        for (const { done } of group) done()
      } catch (error) {
        if (group.length === 1) group[0]?.fail(error as Error)
        else await oneByOne(group)
      }
    }
    line.writers -= 1
    if (line.writers === 0) lines.delete(organizationId)
  }

  /** An answer that cannot be stored must not affect the others. */
  async function oneByOne(group: Waiting[]): Promise<void> {
    for (const { answer, done, fail } of group) await finishCheck(deps, answer.check, answer.outcome).then(done, fail)
  }

  return (answer) =>
    new Promise((done, fail) => {
      const { organizationId } = answer.check
      const line = lines.get(organizationId) ?? { waiting: [], writers: 0 }
      lines.set(organizationId, line)
      line.waiting.push({ answer, done, fail })
      if (line.full) {
        if (isFull(line.waiting)) line.full()
      } else if (line.writers === 0 || (line.writers < WRITTEN_AT_A_TIME && isFull(line.waiting))) {
        void write(organizationId, line)
      }
    })
}

/** Resolves when there are enough to be written together, or after GATHERED_FOR_MS. */
function gather(line: Line): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => line.full?.(), GATHERED_FOR_MS)
    line.full = () => {
      clearTimeout(timer)
      line.full = undefined
      resolve()
    }
  })
}

const waitedFor = new WeakMap<Needs['database'], FinishTogether>()

/** The same for answers with waiting callers: they do not queue behind those of a batch. */
export function finishForCaller(deps: Needs, answer: Answered): Promise<void> {
  const finish = waitedFor.get(deps.database) ?? createFinishTogether(deps)
  waitedFor.set(deps.database, finish)
  return finish(answer)
}
