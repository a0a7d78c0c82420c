// Reads by key that arrive together share a statement, and each caller gets its own row. decisions/0077-gathered-reads.md
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { patientBody } from '../../../test/support/bodies.ts'
import { recordStatements } from '../../../test/support/recorded-statements.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Statement, TextRows } from './database.ts'
import { gatherReads } from './gathered-reads.ts'

const [OURS, THEIRS] = ['organization 1', 'organization 2']
const statement: Statement = { name: 'one', text: 'one row', ofKeys: { name: 'several', text: 'several rows' } }

/** A database that answers when it is told to, and knows every key but `missing`. */
function heldDatabase() {
  const sent: { name: string | undefined; values: unknown[]; answer(): void; fail(error: Error): void }[] = []
  const read = gatherReads(
    ({ name }, values) =>
      new Promise<TextRows>((resolve, reject) => {
        const keys = String(values[1]).replace(/[{}]/g, '').split(',')
        const rows = keys.filter((key) => key !== 'missing').map((key) => [key, `row of ${key} for ${values[0]}`])
        sent.push({ name, values, answer: () => resolve(rows.reverse()), fail: reject })
      }),
  )
  return { sent, read: (key: string, organization = OURS) => read(statement, [organization, key]) }
}

const lostConnection = () => Object.assign(new Error('terminated'), { code: '57P01' })

describe('reads by key', () => {
  it('that arrive in one turn are one statement, and each gets its own row', async () => {
    const { sent, read } = heldDatabase()
    const rows = Promise.all(['a', 'missing', 'b'].map((key) => read(key)))
    await setImmediate()
    expect(sent.map(({ name, values }) => [name, values])).toEqual([['several', [OURS, '{a,missing,b}']]])
    sent[0]?.answer()
    expect(await rows).toEqual([['a', `row of a for ${OURS}`], undefined, ['b', `row of b for ${OURS}`]])
  })

  it('that arrive while one is under way wait for it and are sent together; a later read of the same key sees a later row', async () => {
    const { sent, read } = heldDatabase()
    const first = read('a')
    await setImmediate()
    const later = Promise.all([read('a'), read('A'), read('b')])
    await setImmediate()
    expect(sent.map(({ name }) => name)).toEqual(['one'])
    sent[0]?.answer()
    await first
    await setImmediate()
    expect(sent.map(({ values }) => values[1])).toEqual(['a', '{a,b}'])
    sent[1]?.answer()
    expect((await later).map((row) => row?.[0])).toEqual(['a', 'a', 'b'])
  })

  it('of another organization neither wait nor share a statement', async () => {
    const { sent, read } = heldDatabase()
    const rows = Promise.all([read('a'), read('a', THEIRS)])
    await setImmediate()
    expect(sent.map(({ values }) => values)).toEqual([
      [OURS, 'a'],
      [THEIRS, 'a'],
    ])
    for (const { answer } of sent) answer()
    expect(await rows).toEqual([
      ['a', `row of a for ${OURS}`],
      ['a', `row of a for ${THEIRS}`],
    ])
  })

  it('are at most 32 in a statement', async () => {
    const { sent, read } = heldDatabase()
    const rows = Promise.all(Array.from({ length: 40 }, (_, index) => read(`k${index}`)))
    await setImmediate()
    sent[0]?.answer()
    await setImmediate()
    sent[1]?.answer()
    expect((await rows).map((row) => row?.[0])).toEqual(Array.from({ length: 40 }, (_, index) => `k${index}`))
    expect(sent).toHaveLength(2)
  })

  it('fail with their statement, and those behind it only when the connection is lost', async () => {
    const { sent, read } = heldDatabase()
    const outcome = (key: string) => read(key).then(String, ({ message }: Error) => message)
    const first = outcome('a')
    await setImmediate()
    const second = outcome('b')
    sent[0]?.fail(new Error('statement timeout'))
    expect(await first).toBe('statement timeout')
    await setImmediate()
    const third = outcome('c')
    sent[1]?.fail(lostConnection())
    expect(await Promise.all([second, third])).toEqual(['terminated', 'terminated'])
    const fourth = outcome('d')
    await setImmediate()
    sent[2]?.answer()
    expect(await fourth).toBe(`d,row of d for ${OURS}`)
  })
})

it('long rows are handed to their callers in several turns of the event loop', async () => {
  const long = 'x'.repeat(100_000)
  const rows = Array.from({ length: 30 }, (_, index) => [`k${index}`, long])
  const read = gatherReads(async () => rows)
  let worked = 0
  const atTurns: number[] = []
  const work = async ([key = '']: string[]) => {
    await read(statement, [OURS, key])
    const until = performance.now() + 3
    while (performance.now() < until);
    worked += 1
  }
  const all = Promise.all(rows.map(work))
  while (worked < rows.length) {
    await setImmediate()
    atTurns.push(worked)
  }
  await all
  expect(new Set(atTurns).size).toBeGreaterThan(5)
})

describe('records that are read together', () => {
  const service = testService()

  const patients = async ({ call }: Caller, count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const name = { family: `Family ${index}`, given: ['Ana'], use: 'USUAL' }
        return (await call('POST', '/patients/v1?skip_duplicate_check=true', patientBody({ name }))).body
      }),
    )

  it('answer as each by itself: own records, missing ones and those of another organization', async () => {
    const [ours, theirs] = [await service.newCaller(), await service.newCaller()]
    const [mine, others] = [await patients(ours, 8), await patients(theirs, 2)]
    const paths = [...mine, ...others].map(({ id }) => `/patients/v1/${id}`).concat('/patients/v1/no-id')
    const answerTo = async (path: string) => {
      const { status, body } = await ours.call('GET', path)
      return { status, body }
    }
    const alone = []
    for (const path of paths) alone.push(await answerTo(path))
    const recorded = recordStatements()
    const together = await Promise.all(paths.map(answerTo))
    recorded.stop()
    expect(together).toEqual(alone)
    expect(together.map(({ status }) => status)).toEqual([...Array(8).fill(200), 404, 404, 404])
    expect(
      [...recorded.texts].filter((text) => text.includes('from patient where') && text.includes('any(')),
    ).toHaveLength(1)
  })

  it('find their rows by index, whatever PostgreSQL believes about the size of the table', async () => {
    const { organizationId } = await service.newCaller()
    const setting = { name: 'seqscan', text: `select current_setting('enable_seqscan') where $1::uuid is not null` }
    expect(await service.deps.database.rowByKey(setting, [organizationId])).toEqual(['off'])
  })
})
