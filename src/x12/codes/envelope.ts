// Codes of the envelope and of the frame of a transaction. Source: 005010X279A1, appendix C and the segments' own pages.
import { codeTable } from './code-table.ts'

/** ST01 and AK201, X12 element 143. */
export const transactionNames = codeTable({
  270: 'Eligibility, Coverage or Benefit Inquiry',
  271: 'Eligibility, Coverage or Benefit Information',
  999: 'Implementation Acknowledgment',
  997: 'Functional Acknowledgment',
})

/** GS01, X12 element 479. */
export const functionalGroupNames = codeTable({
  HS: 'Eligibility, Coverage or Benefit Inquiry (270)',
  HB: 'Eligibility, Coverage or Benefit Information (271)',
  FA: 'Functional or Implementation Acknowledgment (997, 999)',
})

/** BHT02, X12 element 353. */
export const purposeNames = codeTable({
  '01': 'Cancellation',
  '06': 'Confirmation',
  11: 'Response',
  13: 'Request',
  36: 'Authority to Deduct (Reply)',
})

/** HL03, X12 element 735. */
export const levelNames = codeTable({
  20: 'Information Source (the payer)',
  21: 'Information Receiver (the provider)',
  22: 'Subscriber',
  23: 'Dependent',
})

/** TRN01, X12 element 481. */
export const traceNames = codeTable({ 1: 'Current Transaction Trace Number', 2: 'Referenced Transaction Trace Number' })

/** ISA05 and ISA07, X12 element I05. */
export const senderQualifierNames = codeTable({
  '01': 'Duns Number',
  14: 'Duns Number with Suffix',
  20: 'Health Industry Number',
  27: 'Carrier Identification Number of CMS',
  28: 'Fiscal Intermediary Identification Number of CMS',
  29: 'Medicare Provider and Supplier Identification Number of CMS',
  30: 'U.S. Federal Tax Identification Number',
  33: 'NAIC Company Code',
  ZZ: 'Mutually Defined',
})

/** ISA15, X12 element I14. */
export const usageNames = codeTable({ P: 'Production', T: 'Test' })

/** TA104, X12 element I17; AK901 and IK501, X12 elements 715 and 717. */
export const acknowledgementNames = codeTable({
  A: 'Accepted',
  E: 'Accepted, errors are noted',
  P: 'Partially accepted',
  R: 'Rejected',
  M: 'Rejected: message authentication failed',
  W: 'Rejected: assurance failed validity tests',
  X: 'Rejected: content could not be analyzed',
})

/** DTP02, DMG01, X12 element 1250. */
export const dateFormatNames = codeTable({ D8: 'Date (CCYYMMDD)', RD8: 'Dates from - to (CCYYMMDD-CCYYMMDD)' })

/** Yes or no, X12 element 1073. */
export const yesNoNames = codeTable({ Y: 'Yes', N: 'No', U: 'Unknown', W: 'Not Applicable' })
