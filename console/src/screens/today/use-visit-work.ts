// What the user does on the board: checks, next steps and notes of visits, one write at a time for each.
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { BoardItem } from '../../api/generated.ts'
import { useSession } from '../../api/session.ts'
import { verifyVisit } from '../../api/visit-checks.ts'
import { clock } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { type Action, answerOf } from '../../rules/visits.ts'
import { announceFailure } from '../../ui/announce.tsx'
import { FIRST } from '../patient/patient-search.ts'
import { describeFailure, takeStep } from './visit-actions.ts'

const steps = { 'mark-ready': 'READY', 'check-in': 'CHECKED_IN', 'check-out': 'CHECKED_OUT' } as const

interface Effects {
  /** Reads the rows of visits again. */
  refresh: (ids: string[]) => Promise<unknown>
  /** The visits that are checked together with this one. */
  others: (item: BoardItem) => BoardItem[]
  /** A check has made this visit READY. */
  onReady: (id: string) => void
}

interface VisitWork {
  /** The ids of the visits that are being written. */
  busy: ReadonlySet<string>
  /** Afterwards the row of the visit is read again, regardless of the result. */
  act: (item: BoardItem, work: () => Promise<void>) => Promise<void>
  run: (item: BoardItem, action: Action) => void
}

/** The functions must be the same ones at each render. */
export function useVisitWork({ refresh, others, onReady }: Effects): VisitWork {
  const navigate = useNavigate({ from: '/today' })
  const { time_zone } = useSession().organization
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())

  const writing = useRef(new Set<string>())

  const act = useCallback(
    async (item: BoardItem, work: () => Promise<void>) => {
      const { id } = item.appointment
      // A key that is pressed twice: the second write would name a version that is old by then, and another user would be blamed.
      if (writing.current.has(id)) return
      writing.current.add(id)
      setBusy((old) => new Set([...old, id]))
      try {
        await work()
      } catch (caught) {
        announceFailure(describeFailure(caught))
      } finally {
        setBusy((old) => new Set([...old].filter((each) => each !== id)))
        await refresh([id]).catch(() => {})
        writing.current.delete(id)
      }
    },
    [refresh],
  )

  /** The visit is not busy meanwhile: a user who waits for a payer can continue with other work. */
  const check = useCallback(
    async (item: BoardItem) => {
      const all = [item, ...others(item)]
      const verify = async ({ appointment: { id, start_timestamp: start }, patient }: BoardItem) => {
        const name = fullName(patient.name)
        try {
          const verification = await verifyVisit(id, all.length > 1 ? `${name}, ${clock(start, time_zone)}` : name)
          await refresh([id])
          if (verification?.status === 'READY' && id === item.appointment.id) onReady(id)
        } catch (caught) {
          announceFailure(describeFailure(caught))
          await refresh([id]).catch(() => {})
        }
      }
      await Promise.all(all.map(verify))
    },
    [refresh, others, onReady, time_zone],
  )

  const run = useCallback(
    (item: BoardItem, action: Action) => {
      if (action === 'check-again') check(item)
      else if (action === 'read-answer') {
        const checkId = answerOf(item)
        if (checkId) navigate({ to: '/checks/$checkId', params: { checkId } })
      } else if (action === 'add-coverage' || action === 'fix-coverage') {
        const params = { patientId: item.appointment.patient_id }
        navigate({ to: '/patients/$patientId', params, search: action === 'add-coverage' ? { form: FIRST } : {} })
      } else act(item, () => takeStep(item, steps[action]))
    },
    [act, check, navigate],
  )
  return { busy, act, run }
}
