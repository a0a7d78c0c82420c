// Every wording in the lists is recognized as what its group states, as no other, and has its effect on a visit.
import { describe, expect, test } from 'vitest'
import { answerText, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { checkAnswer } from '../../../../test/support/payer-messages.ts'
import { programOfName } from '../coverage/coverage-names.ts'
import { OTHERS, TEXTS } from './all-phrases.ts'
import { CLASSES, listed } from './denials/denial-lexicon.ts'
import { mentions, type Phrases, states } from './phrase-group.ts'
import { PROGRAMS } from './programs/programs.ts'

const TEXT_GROUPS = TEXTS.flatMap(({ groups }) => groups)
/** The groups with another effect. */
const withoutGroups = (groups: readonly Phrases[]) => TEXT_GROUPS.filter((each) => !groups.includes(each))
const meaningsOf = (text: string, groups: readonly Phrases[]) =>
  groups.filter((group) => states(group, text)).map(({ meaning }) => meaning)

/** Why a visit of a day in March 2026 is not READY after an answer with this text beside its active plan. */
async function issuesOf(text: string, ofMedicaid: boolean): Promise<string[]> {
  const plan = ofMedicaid ? 'EB*1**30*MC*STATE PLAN~' : 'EB*1**30*PR*GOLD PPO~'
  const rawResponse = answerText(`${plan}MSG*${text}~`, SUBSCRIBER)
  const { readinessIssues = [] } = await checkAnswer({ rawResponse }, {})
  return [...new Set(readinessIssues.map(({ kind }) => kind))]
}

describe.each(TEXTS)('texts: $effect', ({ effect, ofMedicaid = false, groups }) => {
  describe.each(groups)('$meaning', (group) => {
    test.each(group.examples)('%s', async (text) => {
      expect(meaningsOf(text, groups)).toContain(group.meaning)
      expect(meaningsOf(text, withoutGroups(groups))).toEqual([])
      expect(await issuesOf(text, ofMedicaid)).toEqual([effect])
    })

    test.each(group.counterexamples)('not: %s', async (text) => {
      expect(meaningsOf(text, TEXT_GROUPS)).toEqual([])
      expect(await issuesOf(text, ofMedicaid)).toEqual([])
    })
  })
})

describe.each(Object.entries(OTHERS))('%s', (_, groups: readonly Phrases[]) => {
  describe.each(groups)('$meaning', (group) => {
    test.each(group.examples)('%s', (text) => {
      expect(meaningsOf(text, groups)).toEqual([group.meaning])
    })

    test.each(group.counterexamples)('not: %s', (text) => {
      expect(meaningsOf(text, groups)).not.toContain(group.meaning)
    })
  })
})

describe.each(PROGRAMS)('a program: $meaning', (program) => {
  test.each(program.examples ?? [])('%s', (name) => {
    expect(programOfName(name)).toBe(program)
  })

  test.each(program.counterexamples ?? [])('not: %s', (name) => {
    expect(programOfName(name)).not.toBe(program)
  })

  test.each(program.texts ?? [])('%s', (text) => {
    const named = PROGRAMS.filter(({ words }) => words && new RegExp(`\\b(?:${words})\\b`).test(text))
    expect(named).toEqual([program])
  })
})

test('each word of the grammar of denials is listed once, in one class', () => {
  const words = Object.values(CLASSES).flatMap(listed)
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([])
})

test('the patterns of a group have the same flags, because they are searched as one', () => {
  const groups = [...TEXT_GROUPS, ...Object.values(OTHERS).flat()]
  for (const { says } of groups) {
    const flags = says.flatMap((each) => (each instanceof RegExp ? [each.flags] : []))
    expect(new Set(flags).size).toBeLessThan(2)
  }
})

test('no group reads the end of a text that is longer than payers write: the time that some patterns take grows with its square', () => {
  const begun = 'MEDICARE DEDUCTIBLE '.repeat(100)
  const readers = [...TEXT_GROUPS, ...Object.values(OTHERS).flat()].filter((group) => {
    const ends = group.examples.map((text) => `${'-'.repeat(400)} ${text}`)
    return ends.some((text) => states(group, text) || mentions(group, text)) || states(group, `${begun}ONLY`)
  })
  expect(readers.map(({ meaning }) => meaning)).toEqual([])
})
