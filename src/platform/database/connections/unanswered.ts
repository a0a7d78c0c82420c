// How many statements of one organization are on connections that it shares with others. decisions/0170-what-others-wait-for.md
import type { TextRow, TextRows } from '../database.ts'

/**
 * A connection answers its statements in their order, so each waits for all that were sent before it, whoever sent them. This many of one organization
 * keep PostgreSQL busy while the process handles the answers before them.
 */
const MOST = 32
/** PostgreSQL, the connection and this process take milliseconds for such an answer, and some hundredth of one for an ordinary one. */
const LARGE_CHARACTERS = 64 * 1024

interface Line {
  unanswered: number
  /** How many may be unanswered now: one after a large answer, and one more after each that is not. */
  most: number
  waiting: (() => void)[]
}

type Found = TextRow | TextRows | undefined

/** Lets each organization have a few statements unanswered; its others wait for them, and nobody else does. */
interface Unanswered {
  pass<Answer extends Found>(organization: string, ask: () => Promise<Answer>): Promise<Answer>
}

export function createUnanswered(): Unanswered {
  const lines = new Map<string, Line>()

  function lineOf(organization: string): Line {
    const known = lines.get(organization)
    if (known) return known
    const line: Line = { unanswered: 0, most: MOST, waiting: [] }
    lines.set(organization, line)
    return line
  }

  function leave(organization: string, line: Line, answer: Found): void {
    line.unanswered--
    line.most = charactersIn(answer) > LARGE_CHARACTERS ? 1 : Math.min(MOST, line.most + 1)
    while (line.waiting.length > 0 && line.unanswered < line.most) {
      line.unanswered++
      line.waiting.shift()?.()
    }
    if (line.unanswered === 0 && line.most === MOST) lines.delete(organization)
  }

  function send<Answer extends Found>(organization: string, line: Line, ask: () => Promise<Answer>): Promise<Answer> {
    return ask().then(
      (answer) => {
        leave(organization, line, answer)
        return answer
      },
      (error) => {
        leave(organization, line, undefined)
        throw error
      },
    )
  }

  return {
    pass(organization, ask) {
      const line = lineOf(organization)
      if (line.waiting.length === 0 && line.unanswered < line.most) {
        line.unanswered++
        return send(organization, line, ask)
      }
      return new Promise<void>((begin) => line.waiting.push(begin)).then(() => send(organization, line, ask))
    },
  }
}

function charactersIn(answer: Found): number {
  let characters = 0
  for (const part of (answer ?? []) as (TextRow | string | null)[])
    characters += Array.isArray(part) ? charactersIn(part) : (part?.length ?? 0)
  return characters
}
