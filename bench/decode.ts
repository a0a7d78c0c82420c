// `npm run bench:decode`: the complete decoder compared with public X12 parsers that only split the same file into elements, on one
// core and in one run, because on a shared machine only ratios within one run are meaningful.
import { cpus } from 'node:os'
import nodeX12 from 'node-x12'
import { X12parser } from 'x12-parser'
import { decodePatient } from '../src/eligibility/answers/decode.ts'
import { stediResponse } from '../src/eligibility/answers/stedi-form/stedi-response.ts'
import { readTransactions } from '../src/x12/envelope.ts'
import { readResponse } from '../src/x12/response-reader.ts'
import { tokenize } from '../src/x12/tokenizer.ts'
import { message } from './decoding.ts'

const ROUNDS = 5
const ROUND_MS = 700
/** The number of answers in a batch file for a clinic's next day. */
const BATCH = 1000

interface Input {
  name: string
  text: string
  checks: number
}

interface Contender {
  name: string
  /** Runs once over a text and returns a count, so that the work is not optimized away. */
  run(text: string): number | Promise<number>
}

const contenders: Contender[] = [
  { name: 'anteroom: envelope, 271, parsed response and raw response', run: (text) => decode(text, true) },
  { name: 'anteroom: envelope, 271 and parsed response, as a check reads it', run: (text) => decode(text, false) },
  { name: 'anteroom: elements only', run: countElements },
  { name: 'x12-parser 1.3.0: elements only', run: countWithX12Parser },
  { name: 'node-x12 1.7.1: elements only', run: countWithNodeX12 },
]

/** The complete processing of an answer, without a cache between runs. The raw response is rendered only when the answer is read. */
function decode(text: string, isLookedAt: boolean): number {
  let made = 0
  for (const transaction of readTransactions(text)) {
    const response = readResponse(transaction)
    for (const patient of response.patients) {
      const parsed = decodePatient(patient, { dateOfService: '2026-06-15' })
      made += Object.keys(parsed).length
      if (isLookedAt) made += Object.keys(stediResponse(response, patient, { raw: text })).length
    }
  }
  return made
}

function countElements(text: string): number {
  let elements = 0
  for (const segment of tokenize(text)) elements += segment.elements.length
  return elements
}

function countWithX12Parser(text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let segments = 0
    const parser = new X12parser()
    parser.on('data', () => {
      segments += 1
    })
    parser.on('error', reject)
    parser.on('end', () => resolve(segments))
    parser.end(text)
  })
}

function countWithNodeX12(text: string): number {
  const parser = new nodeX12.X12Parser()
  return Object.keys(parser.parse(text)).length
}

async function measureRound({ run }: Contender, { text }: Input): Promise<number> {
  const start = process.cpuUsage()
  let runs = 0
  let counted = 0
  let used = 0
  // By CPU time, because on a busy machine a timed round would end before the code is compiled.
  while (used < ROUND_MS * 1000) {
    counted += await run(text)
    runs += 1
    const { user, system } = process.cpuUsage(start)
    used = user + system
  }
  if (counted === 0) throw new Error('nothing was read')
  return used / 1e6 / runs
}

/** CPU seconds a run, the best of the rounds. The parsers take turns, so a slow moment of the machine affects all of them. */
async function measure(input: Input): Promise<number[]> {
  const best = contenders.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const seconds = await measureRound(contender, input)
      // The first round warms up.
      if (round > 0) best[index] = Math.min(best[index]!, seconds)
    }
  }
  return best
}

function batchOf(count: number): string {
  const text = message()
  const start = text.indexOf('ST*')
  const end = text.indexOf('GE*')
  return text.slice(0, start) + text.slice(start, end).repeat(count) + text.slice(end)
}

async function main(): Promise<void> {
  const inputs: Input[] = [
    { name: 'one answer of 40 EB rows', text: message(), checks: 1 },
    { name: 'one answer of 400 EB rows', text: message(400), checks: 1 },
    { name: `batch of ${BATCH} answers`, text: batchOf(BATCH), checks: BATCH },
  ]
  console.log(`One core of ${cpus()[0]?.model}, Node ${process.version}; CPU time, best of ${ROUNDS} rounds.\n`)
  for (const input of inputs) {
    const kilobytes = (input.text.length / 1000).toFixed(input.checks === 1 ? 1 : 0)
    console.log(`| ${input.name}, ${kilobytes} KB | MB/s | checks/s | ours whole / this |\n|---|---|---|---|`)
    const seconds = await measure(input)
    for (const [index, { name }] of contenders.entries()) {
      const each = seconds[index]!
      const megabytes = (input.text.length / 1e6 / each).toFixed(1)
      const ratio = (each / seconds[0]!).toFixed(2)
      console.log(`| ${name} | ${megabytes} | ${Math.round(input.checks / each)} | ${ratio} |`)
    }
    console.log()
  }
}

await main()
