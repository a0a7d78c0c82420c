import { recognizePayer } from '../../eligibility/answers/coverage/other-coverage.ts'
import { findReadinessIssues } from '../../eligibility/answers/coverage/readiness-issues.ts'
import { judgeEligibility } from '../../eligibility/answers/coverage/status.ts'
import {
  type DecodedAnswer,
  type DecodedAnswers,
  decodeAnswers,
  describeFile,
  UnreadableInterchangeError,
} from '../../eligibility/answers/decode.ts'
import { withAlerts } from '../../eligibility/answers/read-answer.ts'
import { errorDetails } from '../../eligibility/answers/rejections/rejections.ts'
import type { ParsedResponse } from '../../eligibility/answers/wire.ts'
import { type PrintOptions, printBenefits } from '../../eligibility/printing/print-benefits.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import { type CommandLine, requireWord } from './program/command-line.ts'
import { escapeControls, printJson, printStyled, showsColor } from './program/output.ts'
import { readInput } from './program/read-input.ts'

/**
 * Prints what was decoded from a 271 file, every warning, and what limits active coverage, for an office visit on the date of service
 * (today, if none is given). @throws StartupError when there is no readable interchange.
 */
export async function decode(line: CommandLine): Promise<void> {
  const text = await readInput(requireWord(line, 0, 'a file or -'))
  const given = line.flags['date-of-service']
  const dateOfService = typeof given === 'string' ? given : undefined
  const options = dateOfService === undefined ? {} : { dateOfService }
  try {
    const file = await withLimits(decodeAnswers(text, options), dateOfService)
    if (line.flags.json) printJson(describeFile(file))
    else printStyled(printFile(file, dateOfService, { color: showsColor() }))
  } catch (error) {
    if (error instanceof UnreadableInterchangeError)
      throw new StartupError('the input contains no readable X12 interchange')
    throw error
  }
}

function printFile(file: DecodedAnswers, dateOfService: string | undefined, options: PrintOptions): string {
  const request = dateOfService === undefined ? undefined : { encounter: { date_of_service: dateOfService } }
  const count = file.transactions.length
  const transactions = file.transactions.flatMap(({ warnings, answers }, index) => {
    const patients = answers.map(({ patient, parsed }) => {
      const errors = patient.rejections.map((rejection) => ({ errorDetails: errorDetails(rejection) }))
      return printBenefits({ ...(request && { request }), parsed_response: parsed, errors }, options)
    })
    return [
      ...(count > 1 ? [`Transaction ${index + 1} of ${count}`] : []),
      ...warnings.map(describeWarning),
      ...(patients.length > 0 ? [patients.join('\n\n')] : []),
    ]
  })
  return [...file.warnings.map(describeWarning), ...transactions].join('\n')
}

async function withLimits(file: DecodedAnswers, dateOfService: string | undefined): Promise<DecodedAnswers> {
  const day = dateOfService ?? new Date().toISOString().slice(0, 10)
  for (const answer of file.transactions.flatMap(({ answers }) => answers)) answer.parsed = await limited(answer, day)
  return file
}

/** A file has no inquiry: its alerts are those of an inquiry about the plan that asks for no other person. */
async function limited({ patient, parsed }: DecodedAnswer, day: string): Promise<ParsedResponse> {
  if (parsed.eligibility_status !== 'ACTIVE') return parsed
  const request = { dateOfService: day, serviceTypeCodes: [PLAN_SERVICE] }
  const answer = { patient, payer: { id: patient.payer?.id ?? '' }, dateOfService: day, parsed }
  const readinessIssues = await findReadinessIssues(recognizePayer(answer), judgeEligibility(patient, request), {
    corrections: [],
    request,
  })
  return withAlerts(
    parsed,
    readinessIssues.map(({ note }) => note),
  )
}

const describeWarning = (warning: string) => `warning: ${escapeControls(warning)}`
