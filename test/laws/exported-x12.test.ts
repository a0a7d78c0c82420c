// The folder that `npm run x12:export` writes, read by three independent readers: the guide of test/support/x12-guide and two
// public parsers.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import nodeX12 from 'node-x12'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { X12parser } from 'x12-parser'
import { exportInterchanges } from '../../scripts/x12-export.ts'
import { checkInterchange } from '../support/x12-guide/check-interchange.ts'

let folder = ''
const files = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-x12-'))
  const { inquiries, answers } = await exportInterchanges(folder)
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name), 'utf8'))
  expect(files.size).toBe(inquiries + answers)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('every exported interchange', () => {
  test.each([
    ['270', 500],
    ['271', 300],
  ])('%s, of which there are many, follows the guide', (kind, least) => {
    const ofKind = [...files].filter(([name]) => name.endsWith(`.${kind}`))
    expect(ofKind.length).toBeGreaterThan(least)
    const faults = ofKind.flatMap(([name, text]) => checkInterchange(text).map((fault) => `${name}: ${fault}`))
    expect(faults).toEqual([])
  })

  test('271 repeats the reference, the trace with its assigner, and the provider of its 270', () => {
    const asked = [...files].filter(([name]) => name.endsWith('.270'))
    const differ = asked.flatMap(([name, inquiry]) => {
      const answer = files.get(name.replace('.270', '.271'))
      // The roster has payers that answer another inquiry.
      if (answer === undefined || answer.includes('*ANOTHER*')) return []
      const faults = repeatedOf(inquiry).filter((segment) => !repeatedOf(answer).includes(segment))
      return faults.map((segment) => `${name}: ${segment}`)
    })
    expect(differ).toEqual([])
  })

  // The parsers take a tenth of a second a file, so only every tenth file is read; run them over the whole folder after a change of the writer.
  test('is read by two public parsers with the same segments, for every tenth file', async () => {
    for (const [name, text] of [...files].filter((_, place) => place % 10 === 0)) {
      const written = text.split('~').slice(0, -1)
      // node-x12 drops leading zeros of the control numbers in ISA and IEA.
      expect([name, readWithNodeX12(text)]).toEqual([name, written.slice(1, -1)])
      expect([name, await readWithX12Parser(text)]).toEqual([name, written.map((segment) => segment.split('*')[0])])
    }
  })
})

/** What a 271 has from its 270: BHT03, TRN02 to 04 (as TRN*2), and the provider's id. Source: 005010X279A1 271 BHT03, 2000C TRN, 2100B NM1. */
function repeatedOf(text: string): string[] {
  const isAnswer = text.includes('~ST*271*')
  return text.split('~').flatMap((segment) => {
    const [id, first, second = '', ...rest] = segment.split('*')
    if (id === 'BHT') return [`BHT03 ${rest[0]}`]
    if (id === 'TRN' && first === (isAnswer ? '2' : '1')) return [`TRN ${[second, ...rest].join('*')}`]
    return id === 'NM1' && first === '1P' ? [`provider ${rest.slice(-2).join('*')}`] : []
  })
}

/** The segments between ISA and IEA in order, with their elements. */
function readWithNodeX12(text: string): string[] {
  const interchange = new nodeX12.X12Parser(true).parse(text) as InstanceType<typeof nodeX12.X12Interchange>
  const lines: string[] = []
  const say = ({ tag, elements }: { tag: string; elements: { value: string }[] }) =>
    lines.push([tag, ...elements.map(({ value }) => value)].join('*'))
  for (const group of interchange.functionalGroups) {
    say(group.header)
    for (const transaction of group.transactions) {
      say(transaction.header)
      for (const segment of transaction.segments) say(segment)
      say(transaction.trailer)
    }
    say(group.trailer)
  }
  return lines
}

function readWithX12Parser(text: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const ids: string[] = []
    const parser = new X12parser()
    parser.on('data', (segment: { name: string }) => ids.push(segment.name))
    parser.on('error', reject)
    parser.on('end', () => resolve(ids))
    parser.end(text)
  })
}
