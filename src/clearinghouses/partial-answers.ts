// Answers that say of themselves that they are not the whole answer. decisions/0215-odd-shapes-and-odd-transport.md
import { wordsOf } from './json-values.ts'

const INCOMPLETE =
  /\b(?:partial|partially|incomplete|truncated|timed out|try again|retry)\b|\b(?:not|cannot|could not|unable to) (?:be )?(?:complete|retrieve|load|reach|finish)/i

/** Longer messages of a clearinghouse quote what was sent. */
const LENGTH = 1_000

/** The members in which a clearinghouse says that something is missing. */
export function incompleteIn(members: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    wordsOf(value, []).some((text) => INCOMPLETE.test(text.slice(0, LENGTH))) ? [name] : [],
  )
}
