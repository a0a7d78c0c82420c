import { INSURED, PAYER, PROVIDER } from './codes/entities.ts'
import { GROUP_NUMBER, POLICY_NUMBER, SOCIAL_SECURITY_NUMBER } from './codes/references.ts'
import { elementOf, repetitionsOf } from './elements.ts'
import type { Inquiry, InquiryMember, Party, Segment, Transaction } from './model.ts'
import { emptyParty, takeDetail, takeName } from './party.ts'

/** A 2000C or 2000D of a 270 with the service types it requests. */
interface Person {
  party: Party
  hasInquiry: boolean
  serviceTypeCodes: string[]
}

interface SubscriberLoop {
  payer: Party
  provider: Party
  subscriber: Person
  dependents: Person[]
}

interface Walk {
  transaction: Transaction
  payer: Party
  provider: Party
  loops: SubscriberLoop[]
  party: Party | undefined
  person: Person | undefined
  reference: string
  writtenOn: string
}

/**
 * Reads the inquiries of a 270, one per patient, in file order. A subscriber with dependents is a patient only when an EQ stands at the
 * subscriber's level. Missing texts are empty, a patient without EQ has no service types, and without DTP the date of service is the
 * transaction date (BHT04), as the guide specifies. Never throws. Source: x12-271.md 2.
 */
export function readInquiries(transaction: Transaction): Inquiry[] {
  const walk: Walk = {
    transaction,
    payer: emptyParty(),
    provider: emptyParty(),
    loops: [],
    party: undefined,
    person: undefined,
    reference: '',
    writtenOn: '',
  }
  for (const segment of transaction.segments) takeSegment(walk, segment)
  return walk.loops.flatMap((loop) => listInquiries(walk, loop))
}

function takeSegment(walk: Walk, segment: Segment): void {
  switch (segment.id) {
    case 'BHT':
      walk.reference = elementOf(segment, 3) ?? ''
      walk.writtenOn = isoDate(elementOf(segment, 4)) ?? ''
      return
    case 'HL':
      beginLevel(walk, elementOf(segment, 3))
      return
    case 'NM1':
      takeEntity(walk, segment)
      return
    case 'EQ':
      if (walk.person === undefined) return
      walk.person.hasInquiry = true
      for (const code of repetitionsOf(segment, 1, walk.transaction.delimiters)) walk.person.serviceTypeCodes.push(code)
      return
  }
  if (walk.party !== undefined) takeDetail(walk.party, segment, walk.transaction.delimiters)
}

const levelsByEntity = new Map([
  [PAYER, '20'],
  [PROVIDER, '21'],
  [INSURED, '22'],
  ['03', '23'],
  ['QC', '23'],
])

/** Names the open level, or begins the level whose HL is missing. */
function takeEntity(walk: Walk, segment: Segment): void {
  if (walk.party === undefined || walk.party.entityCode !== undefined) {
    beginLevel(walk, levelsByEntity.get(elementOf(segment, 1) ?? ''))
  }
  if (walk.party !== undefined) takeName(walk.party, segment)
}

function beginLevel(walk: Walk, level: string | undefined): void {
  const party = emptyParty()
  walk.party = party
  walk.person = undefined
  switch (level) {
    case '20':
      walk.payer = party
      return
    case '21':
      walk.provider = party
      return
    case '22':
      walk.person = { party, hasInquiry: false, serviceTypeCodes: [] }
      beginSubscriber(walk, walk.person)
      return
    case '23':
      if (walk.loops.length === 0) {
        beginSubscriber(walk, { party: emptyParty(), hasInquiry: false, serviceTypeCodes: [] })
      }
      walk.person = { party, hasInquiry: false, serviceTypeCodes: [] }
      walk.loops.at(-1)?.dependents.push(walk.person)
  }
}

function beginSubscriber(walk: Walk, subscriber: Person): void {
  const { payer, provider } = walk
  walk.loops.push({ payer, provider, subscriber, dependents: [] })
}

function listInquiries(walk: Walk, loop: SubscriberLoop): Inquiry[] {
  const { subscriber, dependents } = loop
  const inquiries = dependents.map((dependent) => readInquiry(walk, loop, dependent))
  if (dependents.length === 0 || subscriber.hasInquiry) inquiries.unshift(readInquiry(walk, loop, subscriber))
  return inquiries
}

function readInquiry(walk: Walk, loop: SubscriberLoop, patient: Person): Inquiry {
  const { payer, provider, subscriber } = loop
  const { party } = patient
  const inquired = party.dates.find((date) => date.qualifier === '291') ?? party.dates[0]
  const isPerson = provider.entityType === '1'
  const trace = party.traces.find(({ type }) => type === '1') ?? party.traces[0]
  return {
    reference: walk.reference,
    traceNumber: trace?.number ?? '',
    ...(trace?.originator !== undefined && { traceOriginator: trace.originator }),
    payer: { id: payer.id ?? '', name: payer.lastName },
    provider: {
      npi: provider.id ?? '',
      organizationName: isPerson ? undefined : provider.lastName,
      firstName: provider.firstName,
      lastName: isPerson ? provider.lastName : undefined,
    },
    subscriber: readMember(subscriber.party),
    dependent: patient === subscriber ? undefined : readDependent(party),
    dateOfService: isoDate(inquired?.start) ?? walk.writtenOn,
    serviceTypeCodes: patient.serviceTypeCodes,
  }
}

function readMember(party: Party): InquiryMember {
  const { firstName, lastName, middleName, suffix, gender } = party
  return {
    memberId: party.id,
    firstName,
    lastName,
    middleName,
    suffix,
    dateOfBirth: isoDate(party.birthDate),
    gender: gender === 'M' || gender === 'F' ? gender : undefined,
    groupNumber: referenceOf(party, GROUP_NUMBER) ?? referenceOf(party, POLICY_NUMBER),
    ssn: referenceOf(party, SOCIAL_SECURITY_NUMBER),
  }
}

function readDependent(party: Party): Inquiry['dependent'] {
  const code = party.relationshipCode
  const relationshipCode = code === '01' || code === '19' || code === '34' ? code : undefined
  return { ...readMember(party), relationshipCode }
}

function referenceOf(party: Party, qualifier: string): string | undefined {
  return party.references.find((reference) => reference.qualifier === qualifier)?.value
}

function isoDate(digits: string | undefined): string | undefined {
  if (digits === undefined || !/^\d{8}$/.test(digits)) return undefined
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}
