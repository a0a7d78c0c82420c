// What the user does on the board: checks, next steps and notes of visits, one write at a time for each.
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { BoardItem } from '../../api/generated.ts'
import { verifyVisit } from '../../api/visit-checks.ts'
import { fullName } from '../../rules/names.ts'
import type { Action } from '../../rules/visits.ts'
import { announce } from '../../ui/announce.tsx'
import { describeFailure, takeStep } from './visit-actions.ts'

const steps = { 'mark-ready': 'READY', 'check-in': 'CHECKED_IN', 'check-out': 'CHECKED_OUT' } as const

interface Effects {
  /** Reads the rows of visits again. */
  refresh: (ids: string[]) => Promise<unknown>
  /** A check has made this visit READY. */
  onReady: (id: string) => void
}

export interface VisitWork {
  /** The ids of the visits that are being written. */
  busy: ReadonlySet<string>
  /** Afterwards the row of the visit is read again, regardless of the result. */
  act: (item: BoardItem, work: () => Promise<void>) => Promise<void>
  run: (item: BoardItem, action: Action) => void
}

/** `refresh` and `onReady` must be the same functions at each render. */
export function useVisitWork({ refresh, onReady }: Effects): VisitWork {
  const navigate = useNavigate({ from: '/today' })
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())

  const act = useCallback(
    async (item: BoardItem, work: () => Promise<void>) => {
      const { id } = item.appointment
      setBusy((old) => new Set([...old, id]))
      try {
        await work()
      } catch (caught) {
        announce(describeFailure(caught))
      } finally {
        setBusy((old) => new Set([...old].filter((each) => each !== id)))
        await refresh([id]).catch(() => {})
      }
    },
    [refresh],
  )

  /** The visit is not busy meanwhile: a user who waits for a payer can continue with other work. */
  const check = useCallback(
    async ({ appointment: { id }, patient }: BoardItem) => {
      try {
        const verification = await verifyVisit(id, fullName(patient.name))
        await refresh([id])
        if (verification?.status === 'READY') onReady(id)
      } catch (caught) {
        announce(describeFailure(caught))
        await refresh([id]).catch(() => {})
      }
    },
    [refresh, onReady],
  )

  const run = useCallback(
    (item: BoardItem, action: Action) => {
      if (action === 'check-again') check(item)
      else if (action === 'read-answer') {
        const checkId = item.primary_coverage?.latest_eligibility_check?.check_id
        if (checkId) navigate({ to: '/checks/$checkId', params: { checkId } })
      } else if (action === 'add-coverage' || action === 'fix-coverage') {
        navigate({ to: '/patients/$patientId', params: { patientId: item.appointment.patient_id } })
      } else act(item, () => takeStep(item, steps[action]))
    },
    [act, check, navigate],
  )
  return { busy, act, run }
}
