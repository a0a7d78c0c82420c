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
  /** Opens the form for a new coverage. */
  add?: true
}

export function readPatientSearch({ tab, add }: Record<string, unknown>): PatientSearch {
  return {
    ...(typeof tab === 'string' && Object.hasOwn(patientTabs, tab) && { tab: tab as PatientTab }),
    ...(add === true && { add }),
  }
}

export interface MergeSearch {
  /** The id of the other record. */
  other?: string
}

export const readMergeSearch = ({ other }: Record<string, unknown>): MergeSearch =>
  typeof other === 'string' ? { other } : {}
