import {
  type DecodedFile,
  type DecodedTransaction,
  decodeResponse,
  UnreadableInterchangeError,
} from '../eligibility/decode.ts'
import type { CoverageDetails, ParsedResponse } from '../eligibility/wire.ts'
import { isDate } from '../http/formats.ts'
import { StartupError } from '../startup-error.ts'
import { type CommandLine, print, UsageError } from './command-line.ts'

/** Prints what was understood of a 271 file and every warning. @throws StartupError when there is no readable interchange. */
export function decode(line: CommandLine, text: string): void {
  const dateOfService = line.flags['date-of-service']
  if (typeof dateOfService === 'string' && !isDate(dateOfService)) {
    throw new UsageError('--date-of-service must be a date that exists (YYYY-MM-DD)')
  }
  const decoded = decodeOrExplain(text, typeof dateOfService === 'string' ? { dateOfService } : {})
  print(line.flags.json ? JSON.stringify(decoded, null, 2) : describeFile(decoded))
}

function decodeOrExplain(text: string, options: { dateOfService?: string }): DecodedFile {
  try {
    return decodeResponse(text, options)
  } catch (error) {
    if (error instanceof UnreadableInterchangeError)
      throw new StartupError('the input holds no readable X12 interchange')
    throw error
  }
}

function describeFile(file: DecodedFile): string {
  const warnings = file.envelope_warnings.map((warning) => `warning: ${warning}`)
  const count = file.transactions.length
  const transactions = file.transactions.flatMap((transaction, index) => [
    ...(count > 1 ? [`Transaction ${index + 1} of ${count}`] : []),
    ...describeTransaction(transaction),
  ])
  return [...warnings, ...transactions].join('\n')
}

function describeTransaction(transaction: DecodedTransaction): string[] {
  return [
    ...transaction.warnings.map((warning) => `warning: ${warning}`),
    ...transaction.errors.map(
      (error) => `rejected: AAA ${error.code ?? '(no code)'} ${error.description ?? ''} (${error.location})`,
    ),
    ...transaction.patients.flatMap(describePatient),
  ]
}

function describePatient(patient: ParsedResponse): string[] {
  const plan = patient.plan_metadata
  const person = plan?.dependent ?? plan?.subscriber
  const dates = [plan?.start_date, plan?.end_date].some(Boolean)
    ? `${plan?.start_date ?? ''} to ${plan?.end_date ?? ''}`
    : undefined
  const facts = {
    Patient: [person?.first_name, person?.last_name].filter(Boolean).join(' '),
    Payer: plan?.payer_name,
    Plan: [plan?.plan_name, plan?.insurance_type].filter(Boolean).join(', '),
    'Member id': plan?.member_id,
    Group: plan?.group_number,
    Dates: dates,
  }
  const known = Object.entries(facts).filter(([, value]) => value)
  return [
    patient.eligibility_status,
    ...known.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    ...describeBenefits(patient),
  ]
}

function describeBenefits({ benefits }: ParsedResponse): string[] {
  const plan = [
    ...describeNetwork('in network', benefits?.plan_coverage?.in_network_flat),
    ...describeNetwork('out of network', benefits?.plan_coverage?.out_of_network_flat),
  ]
  const services = (benefits?.service_specific_coverage ?? []).flatMap((service) => [
    ...describeNetwork(`service ${service.service_code}, in network`, service.in_network_flat),
    ...describeNetwork(`service ${service.service_code}, out of network`, service.out_of_network_flat),
  ])
  const notCovered = (benefits?.non_covered_details ?? []).map((detail) =>
    `  not covered: service ${detail.service_type_codes?.join(', ') ?? 'plan'} ${detail.additional_notes ?? ''}`.trimEnd(),
  )
  return [...plan, ...services, ...notCovered]
}

function describeNetwork(title: string, details: CoverageDetails[] | undefined): string[] {
  return (details ?? []).map(
    ({ type, coverageLevel, unit, value, additional_notes }) =>
      `  ${title}: ${type} ${amount(unit, value)} ${coverageLevel}${additional_notes ? ` (${additional_notes})` : ''}`,
  )
}

function amount(unit: CoverageDetails['unit'], value: number): string {
  if (unit === 'CURRENCY') return `$${value.toFixed(2)}`
  return unit === 'PERCENT' ? `${value}%` : String(value)
}
