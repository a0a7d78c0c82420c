// The two messages of an eligibility transaction as plain data: the inquiry we send (270) and the payer's response (271). The readers and
// writers of X12 text are in this folder; all code outside x12/ uses only these shapes.

/** A segment split into elements: `elements[0]` is the segment id, `elements[3]` is e.g. EB03. Elements are raw text. */
export interface Segment {
  id: string
  elements: string[]
  /** 1-based position of the segment in its interchange, the ISA being 1. */
  ordinal: number
}

export interface Delimiters {
  element: string
  component: string
  segment: string
  /** Undefined when ISA11 declares none (4010 `U`, digit, blank). */
  repetition: string | undefined
}

/** One ST..SE. Any fault of the envelope is a warning, never a rejection. */
export interface Transaction {
  /** ST01: 270, 271, 999 … */
  setId: string
  /** ST02. */
  controlNumber: string
  segments: Segment[]
  delimiters: Delimiters
  /** ISA12, e.g. 00501. */
  version: string
  warnings: string[]
  /** The input ended before its SE, so the rest of the transaction is missing. */
  isCutOff?: boolean
}

/** A whole input: one or more interchanges, their transactions in file order. */
export interface Envelope {
  warnings: string[]
  transactions: Transaction[]
  /** TA105 note codes and the like, when the receiver answered with an interchange acknowledgement instead. */
  acknowledgements: { kind: 'TA1' | '999'; accepted: boolean; codes: string[]; description: string }[]
}

// ---------------------------------------------------------------------------------------------------------------- 270

export interface Inquiry {
  /** BHT03: our reference for the transaction, returned in the 271. */
  reference: string
  /** TRN02: our trace number, which the payer echoes in TRN*2. It matches an answer to its patient. */
  traceNumber: string
  /** TRN03 of an inquiry that was read: who assigned the trace number. The 271 repeats it with the number. */
  traceOriginator?: string
  payer: { id: string; name?: string }
  provider: { npi: string; organizationName?: string; firstName?: string; lastName?: string }
  subscriber: InquiryMember
  /** When present, the dependent is the patient and TRN, DTP and EQ go to the dependent's level. */
  dependent?: InquiryMember & { relationshipCode?: '01' | '19' | '34' }
  /** YYYY-MM-DD. */
  dateOfService: string
  /** X12 1365 codes, at least one. */
  serviceTypeCodes: string[]
}

export interface InquiryMember {
  memberId?: string
  firstName?: string
  lastName?: string
  middleName?: string
  suffix?: string
  /** YYYY-MM-DD. */
  dateOfBirth?: string
  gender?: 'M' | 'F'
  groupNumber?: string
  ssn?: string
}

/** The addressing of an interchange: ISA05..08, ISA15, GS02/03, the control numbers and the time of writing. */
export interface InterchangeAddress {
  senderQualifier: string
  senderId: string
  receiverQualifier: string
  receiverId: string
  /** GS02 and GS03; the ISA ids when left out. */
  applicationSender?: string
  applicationReceiver?: string
  usage: 'P' | 'T'
  /** 1 to 999999999; ISA13, GS06. */
  controlNumber: number
  at: Date
}

// ---------------------------------------------------------------------------------------------------------------- 271

/** The 271 of one ST..SE: who answered, about which patients, and every reject reason at every level. */
export interface Response {
  controlNumber: string
  /** BHT03, our reference when the payer echoes it. */
  reference?: string
  warnings: string[]
  /** Every AAA of the transaction in file order. */
  rejections: Rejection[]
  patients: PatientResponse[]
}

/** An AAA segment. Source: 005010X279A1 AAA. */
export interface Rejection {
  /** AAA01: Y = the request is valid but was rejected; N = the request is not valid. */
  validRequest?: string
  /** AAA03. */
  reasonCode?: string
  /** AAA04. */
  followUpCode?: string
  /** Such as `2100C`; for AAA segments of EB rows `2110C`. */
  loop: string
}

/** One patient's answer: a 2000C, or the 2000D below it when the payer answered about a dependent. */
export interface PatientResponse {
  payer?: Party
  provider?: Party
  subscriber: Party
  dependent?: Party
  /** The rejections that apply to this patient: those of the patient's level and of the levels above. */
  rejections: Rejection[]
  /** The patient's own EB rows; the subscriber's when the dependent has none. */
  benefits: BenefitRow[]
  /** The places in a form of JSON that could not be read: what stands there may deny the coverage. */
  unread?: string[]
}

export interface Party {
  /** NM101. */
  entityCode?: string
  /** NM102: 1 person, 2 organization. */
  entityType?: string
  lastName?: string
  firstName?: string
  middleName?: string
  suffix?: string
  /** NM108 and NM109. */
  idQualifier?: string
  id?: string
  /** NM110: how a 2120 entity is related to the patient. */
  relationship?: string
  address?: PostalAddress
  /** DMG02 as sent, CCYYMMDD; DMG03. */
  birthDate?: string
  gender?: string
  /** INS01..INS17 that matter: relationship, maintenance type and reason (001 + 25 = the payer changed identity data). */
  relationshipCode?: string
  insuredIndicator?: string
  maintenanceTypeCode?: string
  maintenanceReasonCode?: string
  birthSequence?: string
  references: Reference[]
  dates: DatePeriod[]
  contacts: Contact[]
  /** TRN01 to TRN04. */
  traces: { type: string; number: string; originator?: string; subdivision?: string }[]
  /** PRV01 and PRV03. */
  providerCode?: string
  taxonomy?: string
  /** HI components: qualifier and code; what EB14 points at, counted from 1. */
  diagnoses?: { qualifier: string; code?: string }[]
  /** MPI01..MPI07 as sent: military personnel information. */
  military?: string[]
  rejections: Rejection[]
}

export interface PostalAddress {
  line1?: string
  line2?: string
  city?: string
  state?: string
  postalCode?: string
  countryCode?: string
  countrySubdivision?: string
}

/** REF01, REF02, REF03. */
export interface Reference {
  qualifier: string
  value?: string
  description?: string
}

/** DTP01 and its value: CCYYMMDD dates as sent; `end` for RD8. `raw` is DTP03. */
export interface DatePeriod {
  qualifier: string
  format: string
  raw: string
  start?: string
  end?: string
}

/** PER: name and pairs of qualifier and number. */
export interface Contact {
  name?: string
  numbers: { qualifier: string; value: string }[]
}

/** A 2110 loop: an EB with all segments below it. Codes are raw, so that nothing a payer sends is lost. */
export interface BenefitRow {
  /** EB01. */
  code: string
  /** EB02. */
  coverageLevel?: string
  /** EB03, repetitions split. */
  serviceTypeCodes: string[]
  /** EB04. */
  insuranceType?: string
  /** EB05. */
  planDescription?: string
  /** EB06. */
  timeQualifier?: string
  /** EB07 and EB08 as sent. */
  amount?: string
  percent?: string
  /** EB09, EB10. */
  quantityQualifier?: string
  quantity?: string
  /** EB11. */
  authorizationIndicator?: string
  /** EB12. */
  networkIndicator?: string
  /** EB13 components: qualifier, code, modifiers … */
  procedure?: string[]
  /** EB14 components. */
  diagnosisPointers?: string[]
  deliveries: ServiceDelivery[]
  references: Reference[]
  dates: DatePeriod[]
  messages: string[]
  /** III01..III04: qualifier, code, category, free text. */
  additionalInformation: { qualifier?: string; code?: string; category?: string; text?: string }[]
  entities: Party[]
  rejections: Rejection[]
  /** True when the 2120 loops are inside LS..LE. */
  hasLoopHeader?: boolean
}

/** HSD01..HSD08. */
export interface ServiceDelivery {
  quantityQualifier?: string
  quantity?: string
  frequencyUnit?: string
  modulus?: string
  periodQualifier?: string
  periodCount?: string
  pattern?: string
  timePattern?: string
}
