export const patientTabs = {
  coverages: 'Coverages',
  details: 'Details',
  visits: 'Visits',
  notes: 'Notes',
  timeline: 'Eligibility over time',
  history: 'History',
} as const

export type PatientTab = keyof typeof patientTabs

export interface PatientSearch {
  tab?: PatientTab
}

export function readPatientSearch({ tab }: Record<string, unknown>): PatientSearch {
  return typeof tab === 'string' && Object.hasOwn(patientTabs, tab) ? { tab: tab as PatientTab } : {}
}
