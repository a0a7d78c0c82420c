// The requests of the published client in these tests, and how its answers are read.
import { randomInt, randomUUID } from 'node:crypto'
import { CandidApi } from 'candidhealth'

type MutablePatient = CandidApi.preEncounter.patients.v1.MutablePatient
export type MutableCoverage = CandidApi.preEncounter.coverages.v1.MutableCoverage
type MutableAppointment = CandidApi.preEncounter.appointments.v1.MutableAppointment
type MutableImage = CandidApi.preEncounter.images.v1.MutableImage
type MutableProvider = CandidApi.preEncounter.organizationExternalProviders.v1.MutableOrganizationExternalProvider
export type EligibilityRequest = CandidApi.preEncounter.eligibilityChecks.v1.EligibilityRequest
export type EligibilityResponse = CandidApi.preEncounter.eligibilityChecks.v1.EligibilityResponse
type PatientId = CandidApi.preEncounter.PatientId

type Answer<T, E> = { ok: true; body: T } | { ok: false; error: E }

/** The body of a success. @throws with the errorName of a refusal. */
export function bodyOf<T, E extends { errorName?: unknown; content: unknown }>(answer: Answer<T, E>): T {
  if (answer.ok) return answer.body
  throw new Error(`${answer.error.errorName ?? 'unknown error'}: ${JSON.stringify(answer.error.content)}`)
}

/** The typed error of a refusal. @throws if the call succeeded. */
export function errorOf<T, E>(answer: Answer<T, E>): E {
  if (answer.ok) throw new Error('this was expected to be refused')
  return answer.error
}

/** A new patient every time, so that the duplicate check finds none. */
export function somePatient(overrides: Partial<MutablePatient> = {}): MutablePatient {
  return {
    name: { family: `Marlowe-${randomUUID()}`, given: ['Iris', 'Quinn'], use: 'USUAL' },
    otherNames: [],
    birthDate: '1984-02-29',
    biologicalSex: 'FEMALE',
    primaryAddress: {
      use: 'HOME',
      line: ['4 Quay St'],
      city: 'Portland',
      state: 'ME',
      postalCode: '04101',
      country: 'US',
    },
    otherAddresses: [],
    otherTelecoms: [],
    contacts: [],
    generalPractitioners: [],
    filingOrder: { coverages: [] },
    ...overrides,
  }
}

export function someCoverage(patient: PatientId, overrides: Partial<MutableCoverage> = {}): MutableCoverage {
  return {
    status: 'ACTIVE',
    subscriber: { name: { family: 'Marlowe', given: ['Iris'], use: 'USUAL' }, biologicalSex: 'FEMALE' },
    relationship: 'SELF',
    patient,
    insurancePlan: { memberId: 'AETNA12345', payerId: CandidApi.preEncounter.PayerId('60054'), payerName: 'Aetna' },
    verified: false,
    ...overrides,
  }
}

/** The published mock of an active subscriber. Source: rules.md 13.4. */
export function activeCheck(overrides: Partial<EligibilityRequest> = {}): EligibilityRequest {
  return {
    payerId: '60054',
    provider: { organizationName: 'Harbor Clinic', npi: '1999999984' },
    subscriber: { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04' },
    ...overrides,
  }
}

export function someAppointment(patientId: PatientId, overrides: Partial<MutableAppointment> = {}): MutableAppointment {
  return {
    patientId,
    startTimestamp: new Date('2026-03-02T14:30:00.000Z'),
    serviceDuration: 30,
    services: [{ universalServiceIdentifier: 'MD_Visit' }],
    placerAppointmentId: randomUUID(),
    ...overrides,
  }
}

export function someImage(patientId: PatientId, overrides: Partial<MutableImage> = {}): MutableImage {
  return {
    fileName: 'card.png',
    displayName: 'Insurance card',
    fileType: 'image/png',
    status: 'PENDING',
    patient: { id: patientId },
    ...overrides,
  }
}

/** A provider with a unique NPI. */
export function someProvider(overrides: Partial<MutableProvider> = {}): MutableProvider {
  return {
    name: { family: 'Okafor', given: ['Ada'], use: 'OFFICIAL' },
    types: ['REFERRING'],
    npi: String(randomInt(1_000_000_000, 2_000_000_000)),
    ...overrides,
  }
}
