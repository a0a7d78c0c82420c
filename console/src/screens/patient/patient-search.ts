export const patientTabs = {
  coverages: 'Coverages',
  details: 'Details',
  visits: 'Visits',
  notes: 'Notes',
  timeline: 'Eligibility history',
  history: 'History',
} as const

export type PatientTab = keyof typeof patientTabs

export interface PatientSearch {
  tab?: PatientTab
  /** The form that is open in the tab: `new`, or the id of the coverage. So Back closes it, and Forward opens it again with what was typed. */
  form?: string
  /** The new coverage is filed before the others. */
  first?: true
}

export function readPatientSearch({ tab, form, first }: Record<string, unknown>): PatientSearch {
  return {
    ...(typeof tab === 'string' && Object.hasOwn(patientTabs, tab) && { tab: tab as PatientTab }),
    ...(typeof form === 'string' && { form }),
    ...(first === true && { first }),
  }
}

export const NEW = 'new'
/** The form of a first coverage: a patient who has coverages outside the filing order is shown those, of which one may only have to be filed. */
export const FIRST = 'first'

interface MergeSearch {
  /** The id of the other record. */
  other?: string
}

export const readMergeSearch = ({ other }: Record<string, unknown>): MergeSearch =>
  typeof other === 'string' ? { other } : {}
