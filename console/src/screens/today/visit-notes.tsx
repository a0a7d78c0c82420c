import { Alert, Button, Textarea } from '@mantine/core'
import type { Appointment } from '../../api/generated.ts'
import { useSession } from '../../api/session.ts'
import { toMutable } from '../../rules/visits.ts'
import { announce } from '../../ui/announce.tsx'
import { useDraft } from '../../ui/draft.ts'
import { save } from './visit-actions.ts'
import styles from './visit-panel.module.css'

interface Props {
  appointment: Appointment
  isBusy: boolean
  onAct: (work: () => Promise<void>) => void
}

/** The user's text, the stored notes that it was typed over, and what was last saved from here, which the visit may not show yet. */
interface Draft {
  typed?: string
  over?: string
  saved?: string
}

/** Follows the stored notes until the user types. What another user writes after that is shown beside the text, and never replaced silently. */
export function VisitNotes({ appointment, isBusy, onAct }: Props) {
  const { user } = useSession()
  const stored = appointment.notes ?? ''
  const draft = useDraft<Draft>(`visit-notes:${appointment.id}`, () => ({}))
  const { typed, over, saved } = draft.value
  const text = typed ?? stored
  const isTouched = typed !== undefined && typed !== stored
  const isOverOthers = isTouched && stored !== saved
  const isChangedByOther = isOverOthers && stored !== over
  const isOwn = appointment.updating_user_id === user.id
  const who = isOwn ? 'You changed these notes in another window' : 'Another user changed these notes'
  const type = (next: string, base = isOverOthers ? over : stored) =>
    draft.set({
      typed: next,
      ...(base !== undefined && { over: base }),
      ...(saved !== undefined && saved !== stored && { saved }),
    })
  const reset = () => {
    draft.set({})
    draft.clear()
  }
  const write = async () => {
    const { notes, ...rest } = toMutable(appointment)
    const sent = text.trim() === '' ? undefined : text
    // Before it is sent: the visit may show it before its answer comes.
    draft.set({ ...draft.value, saved: sent ?? '' })
    await save(appointment, sent === undefined ? rest : { ...rest, notes: sent })
    // What was typed since then stays.
    if (draft.latest().typed === typed) reset()
    announce('The note was saved.')
  }
  return (
    <div className={styles.notes}>
      <Textarea
        label="Visit notes"
        autosize={false}
        rows={3}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {isChangedByOther && (
        <Alert role="alert" color="yellow" title={`${who} while you were typing`}>
          <p>
            They are now: <bdi>{stored || 'empty'}</bdi>
          </p>
          {stored !== '' && (
            <Button size="compact-sm" variant="default" onClick={() => type(`${stored}\n${text}`, stored)}>
              Keep both
            </Button>
          )}{' '}
          <Button size="compact-sm" variant="default" onClick={reset}>
            Discard mine
          </Button>
        </Alert>
      )}
      <Button variant="default" disabled={!isTouched || isBusy} onClick={() => onAct(write)}>
        {isChangedByOther ? `Replace ${isOwn ? 'those' : 'their'} notes with mine` : 'Save notes'}
      </Button>
    </div>
  )
}
