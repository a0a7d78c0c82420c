import { codeTable } from './code-table.ts'

/** EB13-1 and EQ02-1, X12 element 235. */
export const procedureQualifierNames = codeTable({
  AD: 'American Dental Association',
  CJ: 'Current Procedural Terminology (CPT)',
  HC: 'Health Care Financing Administration Common Procedural Coding System (HCPCS)',
  ID: 'International Classification of Diseases, 9th Revision, Clinical Modification (ICD-9-CM) - Procedure',
  IV: 'Home Infusion EDI Coalition (HIEC) Product/Service Code',
  N4: 'National Drug Code in 5-4-2 Format',
  ZZ: 'Mutually Defined',
})
