// Changes of the order in which a patient's coverages are billed.
import { useState } from 'react'
import { changePatient } from '../../api/change-patient.ts'
import type { Coverage, Patient } from '../../api/generated.ts'
import { moved, movedBefore } from '../../rules/patients.ts'
import { announce } from '../../ui/announce.tsx'

export function useFilingOrder(patient: Patient) {
  const [failure, setFailure] = useState<unknown>()
  /** Changes the order of the patient as currently stored, because another user may just have changed it. */
  async function change(reorder: (stored: readonly string[]) => string[]) {
    setFailure(undefined)
    try {
      await changePatient(patient.id, ({ filing_order }) => ({
        filing_order: { coverages: reorder(filing_order.coverages) },
      }))
    } catch (caught) {
      setFailure(caught)
    }
  }
  return {
    failure,
    add: (id: string) => change((stored) => [...stored, id]),
    /** Adds a new coverage, or moves it there. */
    place: (id: string, isFirst: boolean) =>
      change((stored) => {
        const others = stored.filter((other) => other !== id)
        return isFirst ? [id, ...others] : [...others, id]
      }),
    remove: (id: string) => change((stored) => stored.filter((other) => other !== id)),
    async move({ id, insurance_plan }: Coverage, by: -1 | 1) {
      await change((stored) => moved(stored, id, by))
      announce(`${insurance_plan.payer_name} was moved ${by === -1 ? 'up' : 'down'}.`)
    },
    /** Undefined: to the end. */
    async moveBefore(id: string, before: string | undefined, payerName: string | undefined) {
      await change((stored) => movedBefore(stored, id, before))
      announce(`${payerName ?? 'The coverage'} was moved.`)
    },
  }
}
