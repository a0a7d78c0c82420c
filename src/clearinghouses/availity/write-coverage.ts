import { MEMBER_ID } from '../../x12/codes/identification.ts'
import { rejectReasonNames } from '../../x12/codes/rejections.ts'
import { OTHER_RELATIONSHIP, relationshipNames, SELF } from '../../x12/codes/relationships.ts'
import { serviceTypeNames } from '../../x12/codes/service-types.ts'
import { isDeath } from '../../x12/coverage-dates.ts'
import type { Party, PatientResponse, Rejection } from '../../x12/model.ts'
import { announcesChange, npiOf } from '../../x12/party.ts'
import type { JsonObject } from '../json-values.ts'
import { present, writeInstant } from './coverage-values.ts'
import { writeAddress } from './write-parties.ts'
import { writePlans } from './write-plans.ts'

/** Values of the request that the answer itself does not contain. */
export interface CoverageFrame {
  id: string
  createdAt: Date
  /** As requested: the payer may answer under another id. */
  payerId: string
  /** YYYY-MM-DD. */
  dateOfService: string
  serviceTypeCodes: readonly string[]
  controlNumber?: string
}

export const coverageStatuses = {
  inProgress: { status: 'In Progress', statusCode: '0' },
  complete: { status: 'Complete', statusCode: '4' },
  requestError: { status: 'Request Error', statusCode: '19' },
  communicationError: { status: 'Communication Error', statusCode: '7' },
} as const

/**
 * One patient's answer in the form of Availity's Coverage: plans, benefits by service type, and their amounts by network. A rejection has
 * `validationMessages` instead of plans. Source: clearinghouse.md C.
 */
export function writeCoverage(patient: PatientResponse, frame: CoverageFrame): JsonObject {
  const isRefused = patient.rejections.length > 0 && patient.benefits.length === 0
  return {
    ...writeFrame(frame, isRefused ? coverageStatuses.requestError : coverageStatuses.complete),
    payer: present({
      name: patient.payer?.lastName,
      payerId: frame.payerId,
      responseName: patient.payer?.lastName,
      responsePayerId: patient.payer?.id,
    }),
    subscriber: writeMember(patient.subscriber),
    patient: { ...writePatient(patient), ...present({ deathDate: writeInstant(deathOf(patient)) }) },
    ...(patient.provider && { requestingProvider: writeProvider(patient.provider) }),
    ...(patient.rejections.length > 0 && { validationMessages: patient.rejections.map(writeRejection) }),
    ...(!isRefused && { plans: writePlans(patient, frame.dateOfService) }),
  }
}

/** The fields of every coverage, answered or not. */
export function writeFrame(frame: CoverageFrame, status: { status: string; statusCode: string }): JsonObject {
  const created = frame.createdAt.toISOString().replace('Z', '+0000')
  return present({
    id: frame.id,
    ...status,
    controlNumber: frame.controlNumber,
    createdDate: created,
    updatedDate: created,
    asOfDate: writeInstant(frame.dateOfService),
    requestedServiceType: frame.serviceTypeCodes.map((code) => present({ code, value: serviceTypeNames[code] })),
  })
}

/** The patient's death, also as stated under a row; not that of another payer's insured. */
function deathOf({ subscriber, dependent, benefits }: PatientResponse): string | undefined {
  const rows = benefits.filter(({ code }) => code !== 'R')
  return [dependent ?? subscriber, ...rows].flatMap(({ dates }) => dates).find(isDeath)?.start
}

function writePatient({ subscriber, dependent }: PatientResponse): JsonObject {
  const code = dependent ? (dependent.relationshipCode ?? OTHER_RELATIONSHIP) : (subscriber.relationshipCode ?? SELF)
  return {
    ...writeMember(dependent ?? subscriber),
    ...present({ subscriberRelationshipCode: code, subscriberRelationship: relationshipNames[code] }),
  }
}

const genders: Readonly<Record<string, string>> = { F: 'Female', M: 'Male', U: 'Unknown' }

function writeMember(party: Party): JsonObject {
  const { gender } = party
  return present({
    firstName: party.firstName,
    middleName: party.middleName,
    lastName: party.lastName,
    suffix: party.suffix,
    memberId: party.idQualifier === undefined || party.idQualifier === MEMBER_ID ? party.id : undefined,
    birthDate: writeInstant(party.birthDate),
    deathDate: writeInstant(party.dates.find(isDeath)?.start),
    gender: gender && genders[gender],
    genderCode: gender,
    address: writeAddress(party),
    updateYourRecords: announcesChange(party) || undefined,
  })
}

function writeProvider(party: Party): JsonObject {
  return present({ lastName: party.lastName, firstName: party.firstName, npi: npiOf(party) })
}

/** The Availity field that a loop describes. */
const fieldsOfLoops: Readonly<Record<string, string>> = {
  A: 'payerId',
  B: 'providerNpi',
  C: 'memberId',
  D: 'patientLastName',
}

function writeRejection({ reasonCode, loop }: Rejection): JsonObject {
  return present({
    field: fieldsOfLoops[loop.slice(-1)],
    code: reasonCode,
    errorMessage: (reasonCode && rejectReasonNames[reasonCode]) ?? 'The payer rejected the inquiry',
  })
}
