// Changes a part of a patient that other users may write concurrently: applied to the stored version, and applied again
// after a version conflict.

import { toMutablePatient } from '../rules/patients.ts'
import { ApiError, call } from './client.ts'
import type { MutablePatient, Patient } from './generated.ts'
import { keyOf, queryClient } from './query.ts'

const TRIES = 4

/** @throws ApiError */
export async function changePatient(
  id: string,
  change: (stored: Patient) => Partial<MutablePatient>,
): Promise<Patient> {
  const path = { id }
  for (let attempt = 1; ; attempt++) {
    const stored = await call('patients.get', { path })
    const body = { ...toMutablePatient(stored), ...change(stored) }
    try {
      const next = await call('patients.update', { path: { id, version: stored.version + 1 }, body })
      queryClient.setQueryData(keyOf('patients.get', { path }), next)
      queryClient.invalidateQueries({ queryKey: ['board.getVisits'] })
      return next
    } catch (error) {
      if (attempt === TRIES || !(error instanceof ApiError) || error.status !== 409) throw error
    }
  }
}
