// Fits an inquiry to the rules of a 270, for every connector, or rejects it with the field named before it is sent. Source: 005010X279A1;
// x12-271.md 2; decisions/0026-what-an-inquiry-may-say.md.
import { DATE_RULE } from '../../contract/formats.ts'
import { isServiceTypeCode } from '../../contract/wire-codes.ts'
import { hasOtherScript, LONGEST_DATA, toAscii } from '../../x12/ascii.ts'
import {
  carriesIdentifier,
  IDENTIFIER_LENGTH,
  NAME_MAX,
  type NamePart,
  nameAsSent,
  plainIdentifier,
  REFERENCE_MAX,
  SERVICE_TYPES_MAX,
} from '../../x12/element-limits.ts'
import { cleanData } from '../../x12/interchange-writer.ts'
import { isoDate } from '../../x12/iso-date.ts'
import type { Inquiry, InquiryMember } from '../../x12/model.ts'
import { isNpi, NPI_RULE } from '../../x12/npi.ts'

/** Why an inquiry cannot be sent: a field of the request, in wire names, and the problem. Never a value. */
export interface InquiryFault {
  field: string
  problem: string
}

/** A name that was sent in a different form than it is written. */
export interface NameNotice {
  field: string
  change: 'transliterated' | 'cut'
  /** The form that was sent. */
  sent: string
}

interface FittedInquiry {
  inquiry: Inquiry
  faults: InquiryFault[]
  notices: NameNotice[]
}

interface Fitting {
  faults: InquiryFault[]
  notices: NameNotice[]
}

/** The inquiry in the form to send; it must not be sent when there are faults. */
export function fitInquiry(inquiry: Inquiry): FittedInquiry {
  const fitting: Fitting = { faults: [], notices: [] }
  const { payer, provider, subscriber, dependent, dateOfService } = inquiry
  const serviceTypeCodes = fitServiceTypes(inquiry.serviceTypeCodes, fitting)
  if (dateOfService !== '' && !isoDate(dateOfService)) reject(fitting, 'encounter.date_of_service', NO_DATE)
  if (!isNpi(provider.npi)) reject(fitting, 'provider.npi', NO_NPI)
  // Copies that are changed: a literal with properties behind a spread takes ten times as long.
  const fitted: Inquiry = { ...inquiry }
  fitted.payer = { ...payer }
  fitted.payer.id = fitIdentifier('payer_id', payer.id, fitting)
  fitted.provider = { ...provider }
  fitName(fitted.provider, 'organizationName', 'lastName', 'provider.organization_name', fitting)
  fitName(fitted.provider, 'lastName', 'lastName', 'provider.last_name', fitting)
  fitName(fitted.provider, 'firstName', 'firstName', 'provider.first_name', fitting)
  fitted.subscriber = fitMember('subscriber', subscriber, fitting)
  if (dependent) fitted.dependent = fitMember('dependent', dependent, fitting)
  fitted.serviceTypeCodes = serviceTypeCodes
  requireSearchable(fitted, fitting)
  return { inquiry: fitted, faults: fitting.faults, notices: fitting.notices }
}

const NO_DATE = `must be ${DATE_RULE}`
const NO_NPI = `must be ${NPI_RULE}`

function reject({ faults }: Fitting, field: string, problem: string): void {
  faults.push({ field, problem })
}

function fitMember<Member extends InquiryMember>(path: string, member: Member, fitting: Fitting): Member {
  const { memberId, dateOfBirth, ssn, groupNumber } = member
  if (dateOfBirth && !isoDate(dateOfBirth)) reject(fitting, `${path}.date_of_birth`, NO_DATE)
  if (ssn && !/^\d{9}$/.test(ssn.replace(/[-\s]/g, ''))) reject(fitting, `${path}.ssn`, 'must have nine digits')
  if (groupNumber && !carriesIdentifier(groupNumber.trim(), REFERENCE_MAX))
    reject(fitting, `${path}.group_number`, notCarried(REFERENCE_MAX))
  const fitted = { ...member }
  fitName<NamePart>(fitted, 'lastName', 'lastName', `${path}.last_name`, fitting)
  fitName<NamePart>(fitted, 'firstName', 'firstName', `${path}.first_name`, fitting)
  fitName<NamePart>(fitted, 'middleName', 'middleName', `${path}.middle_name`, fitting)
  fitName<NamePart>(fitted, 'suffix', 'suffix', `${path}.suffix`, fitting)
  if (memberId?.trim()) fitted.memberId = fitIdentifier(`${path}.member_id`, memberId, fitting)
  return fitted
}

/** An identifier is sent whole or not at all: a part of it would belong to another person. */
function fitIdentifier(field: string, id: string, fitting: Fitting): string {
  const { min, max } = IDENTIFIER_LENGTH
  if (id.length > LONGEST_DATA) {
    reject(fitting, field, notCarried(max))
    return id
  }
  const plain = plainIdentifier(id)
  if (plain.length < min) reject(fitting, field, `must have at least ${min} characters`)
  else if (!carriesIdentifier(plain)) reject(fitting, field, notCarried(max))
  return plain
}

const notCarried = (max: number) =>
  `must have at most ${max} characters, none of them an accented letter, a letter of another script or one of * : ~ ^`

/**
 * Fits the name under `key`. The writer handles names in Latin script; a name in another script is transliterated. Either is cut to its
 * length, with a notice.
 */
function fitName<Key extends string>(
  names: { [key in Key]?: string },
  key: Key,
  part: NamePart,
  field: string,
  fitting: Fitting,
): void {
  const name = names[key]
  if (name === undefined || name.trim() === '') return
  if (name.length > LONGEST_DATA) {
    reject(fitting, field, `must have at most ${LONGEST_DATA} characters`)
    return
  }
  const sent = nameAsSent(name, part)
  if (sent === '') {
    reject(fitting, field, 'has no characters that can be written in Latin letters')
    return
  }
  const isCut = cleanData(name).length > NAME_MAX[part]
  const isForeign = hasOtherScript(name)
  if (isForeign) fitting.notices.push({ field, change: 'transliterated', sent })
  else if (isCut) fitting.notices.push({ field, change: 'cut', sent })
  if (isForeign || isCut) names[key] = isCut ? sent : toAscii(name).trim()
}

function fitServiceTypes(codes: readonly string[], fitting: Fitting): string[] {
  const field = 'encounter.service_type_codes'
  const fitted = [...new Set(codes.map((code) => code.trim().toUpperCase()))]
  if (fitted.length > SERVICE_TYPES_MAX) reject(fitting, field, `must have at most ${SERVICE_TYPES_MAX} codes`)
  if (!fitted.every((code) => isServiceTypeCode(code)))
    reject(fitting, field, 'must be service type codes that an inquiry (X12 270, 005010X279A1) can contain')
  return fitted
}

/** The minimum that a payer needs to search for a member. Source: rules.md 13.1. */
function requireSearchable({ subscriber, dependent }: Inquiry, fitting: Fitting): void {
  const { memberId, dateOfBirth, lastName } = subscriber
  const isNamed = [memberId, dateOfBirth, lastName].some((part) => part?.trim())
  if (!isNamed) reject(fitting, 'subscriber', 'needs a member_id, a date_of_birth or a last_name')
  const names = [dependent?.firstName, dependent?.lastName]
  if (dependent && !names.some((part) => part?.trim()))
    reject(fitting, 'dependent', 'needs a first_name or a last_name')
}

/** The faults as one sentence. */
export function describeFaults(faults: readonly InquiryFault[]): string {
  return faults.map(({ field, problem }) => `${field} ${problem}`).join('; ')
}

/** A notice in an answer, with the name as the payer received it. */
export function describeNotice({ field, change, sent }: NameNotice): string {
  return `${field} ${CHANGES[change]}: the inquiry was sent with "${sent}"`
}

/** A notice in an error, which names no value. */
export function adviseOnNotices(notices: readonly NameNotice[]): string {
  const changes = notices.map(({ field, change }) => `${field} ${CHANGES[change]}`)
  return `${changes.join('; ')}. Compare it with the spelling on the insurance card, and check again with that spelling.`
}

const CHANGES = {
  transliterated: 'is not in Latin letters and was transliterated',
  cut: 'is longer than an inquiry allows and was truncated',
} as const
