import type { Actor } from '../../../contract/actor.ts'
import type { Deps } from '../../../deps.ts'
import { MEDICARE_PAYER_ID } from '../../../payers/medicare.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { calendarDay } from '../../../records/calendar.ts'
import { resource } from '../../../records/resource.ts'
import { bareError, withoutSource } from '../../answers/rejections/bare-errors.ts'
import { nextControlNumber } from '../../checks/control-number.ts'
import { lookUpMedicareNumber } from '../../inquiries/medicare-number.ts'
import { answerDeadline, toDay, toNamedProvider, toSsn } from '../request-fields.ts'
import * as schemas from './medicare-number.schema.ts'
import { MedicareNumberRequest, MedicareNumberResponse } from './medicare-number.schema.ts'

type Needs = Pick<Deps, 'clearinghouses' | 'database' | 'now' | 'newId'>

const lookUp = endpoint({
  operation: 'lookUpMedicareNumber',
  method: 'POST',
  path: '/look-up',
  summary:
    'Finds a Medicare number (MBI) by name, birth date and social security number, through a connector that offers it. A look-up that fails is still a 200, with `errors`.',
  body: MedicareNumberRequest,
  answer: MedicareNumberResponse,
  errors: [],
  handle: (deps: Needs, { actor, body }) => find(deps, actor, body),
})

/** Nothing is stored: neither the social security number nor the answer. */
async function find(deps: Needs, actor: Actor, request: MedicareNumberRequest): Promise<MedicareNumberResponse> {
  const provider = toNamedProvider(request.provider)
  const person = toPerson(request.person)
  const { organizationId } = actor
  const { clearinghouse } = await deps.clearinghouses.forPayer(organizationId, MEDICARE_PAYER_ID)
  if (!clearinghouse.findMedicareNumber) return { errors: [notOffered] }
  const at = deps.now()
  const controlNumber = await nextControlNumber(deps.database)
  const found = await lookUpMedicareNumber(
    clearinghouse.findMedicareNumber,
    { provider, person, dateOfService: await calendarDay(deps, organizationId, at.toISOString()) },
    { organizationId, checkId: deps.newId(), controlNumber, at, signal: answerDeadline() },
  )
  const { memberId, status, corrections, errors } = found
  return {
    ...(memberId !== undefined && { member_id: memberId, payer_id: MEDICARE_PAYER_ID }),
    ...(status !== undefined && { eligibility_status: status }),
    ...(corrections.length > 0 && { request_corrections: corrections }),
    ...(errors.length > 0 && { errors: withoutSource(errors) }),
  }
}

const notOffered = bareError({
  code: 'NOT_OFFERED',
  description: 'The clearinghouse that serves Medicare for this organization does not look up Medicare numbers',
})

function toPerson({ first_name, last_name, date_of_birth, ssn }: MedicareNumberRequest['person']) {
  return {
    firstName: first_name,
    lastName: last_name,
    dateOfBirth: toDay('person.date_of_birth', date_of_birth),
    ssn: toSsn('person.ssn', ssn),
  }
}

export const medicareNumbers = resource({
  path: '/anteroom/v1/medicare-numbers',
  group: 'eligibilityChecks',
  permits: { write: 'Look up Medicare numbers.' },
  schemas,
  routes: [
    lookUp, // POST   /look-up
  ],
})
