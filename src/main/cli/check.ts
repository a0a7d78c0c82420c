import { WireError } from '../../contract/errors.ts'
import { answerCheck, beginCheck, prepareInquiry } from '../../eligibility/checks/answer-check.ts'
import { toWire } from '../../eligibility/checks/check-wire.ts'
import { type FinishedCheck, printBenefits } from '../../eligibility/printing/print-benefits.ts'
import { recordCommand } from '../../platform/audit/administration.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { chooseOrganization } from './program/choose-organization.ts'
import { type CommandLine, requireFlag, UsageError } from './program/command-line.ts'
import { printJson, printStyled, showsColor } from './program/output.ts'
import { readInput } from './program/read-input.ts'
import { readRequest } from './program/read-request.ts'
import { readServiceTypes } from './program/values.ts'
import { withClearinghouse } from './program/with-clearinghouse.ts'

/**
 * Asks a payer, with a request from flags or in JSON, stores the check like any other and prints the result. The exit
 * code is 0 whenever the payer answered about the patient.
 */
export async function check(line: CommandLine): Promise<void> {
  const [path] = line.words
  if (path !== undefined) refuseFlags(line)
  const request = readRequest(path === undefined ? JSON.stringify(requestOf(line)) : await readInput(path))
  const answer = await withClearinghouse(async (deps) => {
    const actor = {
      organizationId: await chooseOrganization(deps.systemDatabase, line),
      userId: systemUser.id,
      clientId: 'command line',
    }
    try {
      const inquiry = await prepareInquiry(deps, actor, request)
      await recordCommand(deps.database, 'check', { organizationId: actor.organizationId })
      return toWire(request, await answerCheck(deps, await beginCheck(deps, actor, inquiry)))
    } catch (error) {
      throw error instanceof WireError ? new StartupError(error.message, { cause: error }) : error
    }
  })
  const finished = answer as FinishedCheck
  if (line.flags.json) printJson(answer)
  else printStyled(printBenefits(finished, { color: showsColor() }))
  if (!finished.parsed_response) throw new StartupError('the check failed')
}

/** A request in JSON cannot be combined with flags. */
function refuseFlags({ flags }: CommandLine): void {
  const { organization: _organization, json: _json, ...parts } = flags
  const [given] = Object.entries(parts).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
  if (given !== undefined) throw new UsageError(`--${given} cannot be combined with a request in JSON`)
}

/** The request in the form that `POST /eligibility-checks/v1` accepts. */
function requestOf(line: CommandLine): object {
  const flag = (name: string) => {
    const value = line.flags[name]
    return typeof value === 'string' ? value : undefined
  }
  const types = flag('service-types')
  const dependent = {
    first_name: flag('dependent-first-name'),
    last_name: flag('dependent-last-name'),
    date_of_birth: flag('dependent-date-of-birth'),
  }
  return {
    payer_id: requireFlag(line, 'payer'),
    provider: { npi: requireFlag(line, 'npi') },
    subscriber: {
      member_id: flag('member-id'),
      first_name: requireFlag(line, 'first-name'),
      last_name: requireFlag(line, 'last-name'),
      date_of_birth: flag('date-of-birth'),
    },
    ...(Object.values(dependent).some((value) => value !== undefined) && { dependent }),
    encounter: {
      date_of_service: flag('date-of-service'),
      service_type_codes: types === undefined ? undefined : readServiceTypes(types, 'service-types'),
    },
  }
}
