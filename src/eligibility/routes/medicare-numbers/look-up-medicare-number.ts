import type { Actor } from '../../../contract/actor.ts'
import { badRequest } from '../../../contract/errors.ts'
import { isDate } from '../../../contract/formats.ts'
import type { Deps } from '../../../deps.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { calendarDay } from '../../../records/calendar.ts'
import { resource } from '../../../records/resource.ts'
import { type BareError, bareError } from '../../answers/bare-errors.ts'
import { lookUpMedicareNumber, MEDICARE_PAYER_ID } from '../../answers/medicare-number.ts'
import * as schemas from './medicare-number.schema.ts'
import { MedicareNumberRequest, MedicareNumberResponse } from './medicare-number.schema.ts'

type Needs = Pick<Deps, 'clearinghouses' | 'database' | 'now' | 'newId'>

/** As with the other operations that ask a payer: the published client gives up after 60 s. */
const ANSWER_WITHIN_MS = 55_000

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

const controlNumberStatement = {
  name: 'medicare_number_control_number',
  text: `select nextval('interchange_control_number')`,
}

/** Nothing is stored: neither the social security number nor the answer. */
async function find(deps: Needs, actor: Actor, request: MedicareNumberRequest): Promise<MedicareNumberResponse> {
  const provider = toProvider(request.provider)
  const person = toPerson(request.person)
  const { clearinghouse } = await deps.clearinghouses.forPayer(actor.organizationId, MEDICARE_PAYER_ID)
  if (!clearinghouse.findMedicareNumber) return { errors: [notOffered] }
  const at = deps.now()
  const row = await deps.database.row(controlNumberStatement, [])
  const found = await lookUpMedicareNumber(
    clearinghouse.findMedicareNumber,
    { provider, person, dateOfService: await calendarDay(deps, actor.organizationId, at.toISOString()) },
    { checkId: deps.newId(), controlNumber: Number(row?.[0]), at, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) },
  )
  const { memberId, status, corrections, errors } = found
  return {
    ...(memberId !== undefined && { member_id: memberId, payer_id: MEDICARE_PAYER_ID }),
    ...(status !== undefined && { eligibility_status: status }),
    ...(corrections.length > 0 && { request_corrections: corrections }),
    ...(errors.length > 0 && { errors: errors.map(({ errorDetails }) => ({ ...errorDetails }) as BareError) }),
  }
}

const notOffered = bareError({
  code: 'NOT_OFFERED',
  description: 'The clearinghouse that asks Medicare for this organization does not look up Medicare numbers',
})

function toProvider({ npi, organization_name, first_name, last_name }: MedicareNumberRequest['provider']) {
  if (organization_name) return { npi, organizationName: organization_name }
  if (first_name && last_name) return { npi, firstName: first_name, lastName: last_name }
  throw badRequest('provider.organization_name, or provider.first_name and provider.last_name, is required')
}

function toPerson({ first_name, last_name, date_of_birth, ssn }: MedicareNumberRequest['person']) {
  if (!isDate(date_of_birth)) throw badRequest('person.date_of_birth must be a date that exists (YYYY-MM-DD)')
  if (!/^(?:\d{9}|\d{3}-\d{2}-\d{4})$/.test(ssn)) throw badRequest('person.ssn must be nine digits')
  const names = { firstName: first_name, lastName: last_name }
  return { ...names, dateOfBirth: date_of_birth, ssn: ssn.replaceAll('-', '') }
}

export const medicareNumbers = resource({
  path: '/anteroom/v1/medicare-numbers',
  group: 'eligibilityChecks',
  schemas,
  routes: [
    lookUp, // POST   /look-up
  ],
})
