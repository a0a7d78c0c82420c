import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readEnvelope } from './envelope.ts'
import { readInquiries } from './inquiry-reader.ts'
import type { PatientResponse, Rejection } from './model.ts'
import { readResponse } from './response-reader.ts'

/** Published test messages that lie beside the repository, not in it. */
const folder = fileURLToPath(new URL('../../../shared/eligibility/samples/', import.meta.url))
const present = existsSync(folder)
if (!present) console.warn('the published samples are not present: their tests are skipped')

const files = (kind: string) => (present ? readdirSync(`${folder}${kind}`) : [])
const sample = (kind: string, file: string) => readFileSync(`${folder}${kind}/${file}`, 'utf8')

/** The cells of the index row that describes a file; for a name in both tables, the first of them, the 271. */
function indexed(file: string): string[] {
  const [name, kind] = file.split('.')
  const rows = readFileSync(`${folder}INDEX.md`, 'utf8')
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  const [, ...cells] = rows.filter((cells) => cells[1] === name).at(kind === '271' ? 0 : -1) ?? []
  return cells
}

function describePatient({ subscriber, dependent }: PatientResponse): string {
  const { firstName, lastName } = dependent ?? subscriber
  return [dependent === undefined ? 'subscriber' : 'dependent', firstName, lastName].filter(Boolean).join(' ')
}

function describeRejection({ reasonCode, followUpCode, loop }: Rejection): string {
  return `AAA ${reasonCode ?? '(none)'}/${followUpCode ?? '-'} @${loop}`
}

describe.runIf(present)('every sample 271', () => {
  it.each(files('271'))('%s is read as the index describes it', (file) => {
    const report = indexed(file)[2] ?? ''
    const { warnings, transactions } = readEnvelope(sample('271', file))
    const responses = transactions.map(readResponse)
    const patients = responses.flatMap((response) => response.patients)
    expect(patients.map(describePatient)).toEqual(
      [...report.matchAll(/\((subscriber|dependent)([^)]*)\)/g)].map((match) => match[0].slice(1, -1)),
    )
    expect(responses.flatMap((response) => response.rejections.map(describeRejection))).toEqual(
      report.match(/AAA [^,.]+ @\w+/g) ?? [],
    )
    const promised = [...report.matchAll(/warn: (.+?)(?=\. warn:|$)/g)].map((match) => match[1])
    expect([...transactions.flatMap((transaction) => transaction.warnings), ...warnings]).toEqual(
      expect.arrayContaining(promised),
    )
    expect(
      transactions.flatMap((transaction) => transaction.warnings).filter((warning) => !promised.includes(warning)),
    ).toEqual([])
  })
})

describe.runIf(present)('every sample 270', () => {
  it.each(files('270'))('%s is read as the index describes it', (file) => {
    const report = indexed(file)[2] ?? ''
    const inquiries = readEnvelope(sample('270', file)).transactions.map(readInquiries)
    const requested = [...report.matchAll(/EQ (\[.*?\])(?=;|$)/g)].map((match) =>
      JSON.parse((match[1] ?? '').replaceAll("'", '"')),
    )
    expect(inquiries.map((list) => list.map((inquiry) => inquiry.serviceTypeCodes))).toEqual(
      requested.map((codes) => (codes.length === 0 ? [[]] : codes)),
    )
    for (const inquiry of inquiries.flat()) {
      expect(inquiry.subscriber.memberId).toBeDefined()
      expect(inquiry.payer.id).not.toBe('')
      expect(inquiry.provider.npi).not.toBe('')
    }
  })
})
