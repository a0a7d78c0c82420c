import {
  type DecodedAnswers,
  decodeAnswers,
  decodeResponse,
  UnreadableInterchangeError,
} from '../eligibility/decode.ts'
import { type PrintOptions, printBenefits } from '../eligibility/print-benefits.ts'
import { errorDetails } from '../eligibility/rejections.ts'
import { isDate } from '../http/formats.ts'
import { StartupError } from '../startup-error.ts'
import { type CommandLine, print, showsColour, UsageError } from './command-line.ts'

/** Prints what was understood of a 271 file and every warning. @throws StartupError when there is no readable interchange. */
export function decode(line: CommandLine, text: string): void {
  const given = line.flags['date-of-service']
  const dateOfService = typeof given === 'string' ? given : undefined
  if (dateOfService !== undefined && !isDate(dateOfService)) {
    throw new UsageError('--date-of-service must be a date that exists (YYYY-MM-DD)')
  }
  const options = dateOfService === undefined ? {} : { dateOfService }
  try {
    if (line.flags.json) print(JSON.stringify(decodeResponse(text, options), null, 2))
    else print(describeFile(decodeAnswers(text, options), dateOfService, { colour: showsColour() }))
  } catch (error) {
    if (error instanceof UnreadableInterchangeError)
      throw new StartupError('the input holds no readable X12 interchange')
    throw error
  }
}

function describeFile(file: DecodedAnswers, dateOfService: string | undefined, options: PrintOptions): string {
  const request = dateOfService === undefined ? undefined : { encounter: { date_of_service: dateOfService } }
  const count = file.transactions.length
  const transactions = file.transactions.flatMap(({ warnings, answers }, index) => {
    const patients = answers.map(({ patient, parsed }) => {
      const errors = patient.rejections.map((rejection) => ({ errorDetails: errorDetails(rejection) }))
      return printBenefits({ ...(request && { request }), parsed_response: parsed, errors }, options)
    })
    return [
      ...(count > 1 ? [`Transaction ${index + 1} of ${count}`] : []),
      ...warnings.map((warning) => `warning: ${warning}`),
      ...(patients.length > 0 ? [patients.join('\n\n')] : []),
    ]
  })
  return [...file.warnings.map((warning) => `warning: ${warning}`), ...transactions].join('\n')
}
