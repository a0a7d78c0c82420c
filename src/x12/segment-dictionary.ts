// The segments of a 270, a 271 and their acknowledgements in the terms of the standard: the name of each segment, and the name and code
// table of each element. Source: 005010X279A1; 005010X231A1 (acknowledgements).
import { benefitNames, networkNames } from './codes/benefits.ts'
import { contactModeNames } from './codes/contacts.ts'
import { coverageLevelNames } from './codes/coverage-levels.ts'
import { dateNames } from './codes/dates.ts'
import { entityNames, entityTypeNames } from './codes/entities.ts'
import {
  acknowledgementNames,
  dateFormatNames,
  functionalGroupNames,
  levelNames,
  purposeNames,
  senderQualifierNames,
  traceNames,
  transactionNames,
  usageNames,
  yesNoNames,
} from './codes/envelope.ts'
import { genderNames, identificationNames, providerRoleNames } from './codes/identification.ts'
import { insuranceTypeNames } from './codes/insurance-types.ts'
import { interchangeNotes } from './codes/interchange-notes.ts'
import { placeOfServiceNames } from './codes/places-of-service.ts'
import { procedureQualifierNames } from './codes/procedures.ts'
import { quantityQualifierNames } from './codes/quantity-qualifiers.ts'
import { referenceNames } from './codes/references.ts'
import { followUpActionNames, rejectReasonNames } from './codes/rejections.ts'
import { relationshipNames } from './codes/relationships.ts'
import { deliveryPatternNames, deliveryTimeNames, serviceDeliveryUnitNames } from './codes/service-delivery.ts'
import { serviceTypeName } from './codes/service-types.ts'
import { timeQualifierNames } from './codes/time-qualifiers.ts'

type Meaning = Readonly<Record<string, string>> | ((code: string) => string | undefined)

export interface ElementTerm {
  name: string
  meaning?: Meaning
  /** The format of the value. */
  form?: 'date' | 'dates' | 'time' | 'money' | 'percent'
}

interface SegmentTerm {
  name: string
  /** By position: the first entry is element 01. */
  elements: (ElementTerm | undefined)[]
}

const term = (name: string, meaning?: Meaning): ElementTerm => (meaning ? { name, meaning } : { name })
const written = (name: string, form: NonNullable<ElementTerm['form']>): ElementTerm => ({ name, form })
const segment = (name: string, ...elements: (ElementTerm | string | undefined)[]): SegmentTerm => ({
  name,
  elements: elements.map((element) => (typeof element === 'string' ? { name: element } : element)),
})

const contact = [term('Communication Number Qualifier', contactModeNames), 'Communication Number'] as const

export const segmentTerms: ReadonlyMap<string, SegmentTerm> = new Map(
  Object.entries({
    ISA: segment(
      'Interchange Control Header',
      'Authorization Information Qualifier',
      'Authorization Information',
      'Security Information Qualifier',
      'Security Information',
      term('Interchange ID Qualifier (sender)', senderQualifierNames),
      'Interchange Sender ID',
      term('Interchange ID Qualifier (receiver)', senderQualifierNames),
      'Interchange Receiver ID',
      'Interchange Date (YYMMDD)',
      written('Interchange Time', 'time'),
      'Repetition Separator',
      'Interchange Control Version Number',
      'Interchange Control Number',
      'Acknowledgment Requested',
      term('Interchange Usage Indicator', usageNames),
      'Component Element Separator',
    ),
    IEA: segment('Interchange Control Trailer', 'Number of Included Functional Groups', 'Interchange Control Number'),
    TA1: segment(
      'Interchange Acknowledgment',
      'Interchange Control Number',
      'Interchange Date (YYMMDD)',
      written('Interchange Time', 'time'),
      term('Interchange Acknowledgment Code', acknowledgementNames),
      term('Interchange Note Code', interchangeNotes),
    ),
    GS: segment(
      'Functional Group Header',
      term('Functional Identifier Code', functionalGroupNames),
      "Application Sender's Code",
      "Application Receiver's Code",
      written('Date', 'date'),
      written('Time', 'time'),
      'Group Control Number',
      'Responsible Agency Code',
      'Version / Release / Industry Identifier Code',
    ),
    GE: segment('Functional Group Trailer', 'Number of Transaction Sets Included', 'Group Control Number'),
    ST: segment(
      'Transaction Set Header',
      term('Transaction Set Identifier Code', transactionNames),
      'Transaction Set Control Number',
      'Implementation Convention Reference',
    ),
    SE: segment('Transaction Set Trailer', 'Number of Included Segments', 'Transaction Set Control Number'),
    BHT: segment(
      'Beginning of Hierarchical Transaction',
      term('Hierarchical Structure Code', {
        '0022': 'Information Source, Information Receiver, Subscriber, Dependent',
      }),
      term('Transaction Set Purpose Code', purposeNames),
      'Reference Identification',
      written('Date', 'date'),
      written('Time', 'time'),
      'Transaction Type Code',
    ),
    HL: segment(
      'Hierarchical Level',
      'Hierarchical ID Number',
      'Hierarchical Parent ID Number',
      term('Hierarchical Level Code', levelNames),
      term('Hierarchical Child Code', { 0: 'No level below', 1: 'Levels below' }),
    ),
    TRN: segment(
      'Trace',
      term('Trace Type Code', traceNames),
      'Reference Identification (trace number)',
      'Originating Company Identifier',
      'Reference Identification',
    ),
    NM1: segment(
      'Individual or Organizational Name',
      term('Entity Identifier Code', entityNames),
      term('Entity Type Qualifier', entityTypeNames),
      'Name Last or Organization Name',
      'Name First',
      'Name Middle',
      'Name Prefix',
      'Name Suffix',
      term('Identification Code Qualifier', identificationNames),
      'Identification Code',
      'Entity Relationship Code',
      'Entity Identifier Code',
    ),
    N3: segment('Party Location', 'Address Information', 'Address Information'),
    N4: segment(
      'Geographic Location',
      'City Name',
      'State or Province Code',
      'Postal Code',
      'Country Code',
      'Location Qualifier',
      'Location Identifier',
      'Country Subdivision Code',
    ),
    PER: segment(
      'Administrative Communications Contact',
      term('Contact Function Code', { IC: 'Information Contact' }),
      'Name',
      ...contact,
      ...contact,
      ...contact,
    ),
    REF: segment(
      'Reference Information',
      term('Reference Identification Qualifier', referenceNames),
      'Reference Identification',
      'Description',
    ),
    PRV: segment(
      'Provider Information',
      term('Provider Code', providerRoleNames),
      term('Reference Identification Qualifier', {
        PXC: 'Health Care Provider Taxonomy Code',
        ZZ: 'Mutually Defined',
        HPI: 'NPI',
      }),
      'Reference Identification',
    ),
    DMG: segment(
      'Demographic Information',
      term('Date Time Period Format Qualifier', dateFormatNames),
      written('Date Time Period (birth date)', 'date'),
      term('Gender Code', genderNames),
    ),
    INS: segment(
      'Insured Benefit',
      term('Insured Indicator (is the subscriber)', yesNoNames),
      term('Individual Relationship Code', relationshipNames),
      term('Maintenance Type Code', { '001': 'Change' }),
      term('Maintenance Reason Code', { 25: 'Change in Identifying Data Elements' }),
    ),
    HI: segment('Health Care Information Codes', 'Health Care Code Information'),
    DTP: segment(
      'Date or Time or Period',
      term('Date/Time Qualifier', dateNames),
      term('Date Time Period Format Qualifier', dateFormatNames),
      written('Date Time Period', 'dates'),
    ),
    MPI: segment(
      'Military Personnel Information',
      'Information Status Code',
      'Employment Status Code',
      'Government Service Affiliation Code',
      'Description',
      'Military Service Rank Code',
      'Date Time Period Format Qualifier',
      written('Date Time Period', 'dates'),
    ),
    EQ: segment(
      'Eligibility or Benefit Inquiry',
      term('Service Type Code', serviceTypeName),
      term('Composite Medical Procedure Identifier', procedureQualifierNames),
      term('Coverage Level Code', coverageLevelNames),
    ),
    EB: segment(
      'Eligibility or Benefit Information',
      term('Eligibility or Benefit Information Code', benefitNames),
      term('Coverage Level Code', coverageLevelNames),
      term('Service Type Code', serviceTypeName),
      term('Insurance Type Code', insuranceTypeNames),
      'Plan Coverage Description',
      term('Time Period Qualifier', timeQualifierNames),
      written('Monetary Amount', 'money'),
      written('Percentage as Decimal', 'percent'),
      term('Quantity Qualifier', quantityQualifierNames),
      'Quantity',
      term('Authorization or Certification Indicator', yesNoNames),
      term('In Plan Network Indicator', networkNames),
      term('Composite Medical Procedure Identifier', procedureQualifierNames),
      'Composite Diagnosis Code Pointer',
    ),
    HSD: segment(
      'Health Care Services Delivery',
      term('Quantity Qualifier', quantityQualifierNames),
      'Quantity',
      term('Unit or Basis for Measurement Code', serviceDeliveryUnitNames),
      'Sample Selection Modulus',
      term('Time Period Qualifier', timeQualifierNames),
      'Number of Periods',
      term('Ship/Delivery or Calendar Pattern Code', deliveryPatternNames),
      term('Ship/Delivery Pattern Time Code', deliveryTimeNames),
    ),
    AMT: segment(
      'Monetary Amount Information',
      term('Amount Qualifier Code', { R: 'Spend Down', PB: 'Billed Amount' }),
      written('Monetary Amount', 'money'),
    ),
    MSG: segment('Message Text', 'Free-form Message Text'),
    III: segment(
      'Eligibility or Benefit Additional Information',
      term('Code List Qualifier Code', {
        ZZ: 'Place of Service',
        BF: 'Diagnosis',
        BK: 'Principal Diagnosis',
        GR: 'National Drug Code',
        NI: 'Nature of Injury',
      }),
      term('Industry Code', placeOfServiceNames),
      'Code Category',
      'Free-form Message Text',
    ),
    LS: segment('Loop Header', 'Loop Identifier Code'),
    LE: segment('Loop Trailer', 'Loop Identifier Code'),
    AAA: segment(
      'Request Validation',
      term('Valid Request Indicator', yesNoNames),
      'Agency Qualifier Code',
      term('Reject Reason Code', rejectReasonNames),
      term('Follow-up Action Code', followUpActionNames),
    ),
    AK1: segment(
      'Functional Group Response Header',
      term('Functional Identifier Code', functionalGroupNames),
      'Group Control Number',
      'Version / Release / Industry Identifier Code',
    ),
    AK2: segment(
      'Transaction Set Response Header',
      term('Transaction Set Identifier Code', transactionNames),
      'Transaction Set Control Number',
      'Implementation Convention Reference',
    ),
    IK3: segment(
      'Error Identification',
      'Segment ID Code',
      'Segment Position in Transaction Set',
      'Loop Identifier Code',
      'Implementation Segment Syntax Error Code',
    ),
    IK4: segment(
      'Implementation Data Element Note',
      'Position in Segment',
      'Data Element Reference Number',
      'Implementation Data Element Syntax Error Code',
      'Copy of Bad Data Element',
    ),
    IK5: segment(
      'Implementation Transaction Set Response Trailer',
      term('Transaction Set Acknowledgment Code', acknowledgementNames),
      'Implementation Transaction Set Syntax Error Code',
    ),
    AK9: segment(
      'Functional Group Response Trailer',
      term('Functional Group Acknowledge Code', acknowledgementNames),
      'Number of Transaction Sets Included',
      'Number of Received Transaction Sets',
      'Number of Accepted Transaction Sets',
    ),
  }),
)
