// What somebody enters in the form of a versioned record: kept as a draft, saved, and after a version conflict based on the newer version.
import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../api/client.ts'
import type { Attempt } from '../api/create-once.ts'
import { useSession } from '../api/session.ts'
import { refusedFields } from '../rules/errors.ts'
import {
  applyTyped,
  type Conflict,
  changedFields,
  type Field,
  fieldAt,
  findConflicts,
  missingFields,
  oddityOf,
  shortYears,
  type Typed,
} from '../rules/fields.ts'
import { SHORT_YEAR } from '../rules/oddities.ts'
import { forgetAttempt, forgetLost, useDraft } from './draft.ts'
import { type Decision, useAttempts } from './lost-attempt.tsx'
import { focusBeforePress } from './presses.ts'

export interface EditedRecord<Value> {
  draftKey: string
  fields: readonly Field<Value>[]
  record: Value
  /**
   * Saves the record; a new one as `createOnce` does with the attempt. `refused`: it was not saved, and the screen says why.
   * @throws ApiError with status 409 when the record has a newer version.
   */
  save: (record: Value, attempt: Attempt<Value>) => Promise<'refused' | undefined> | Promise<void>
  /** Reads the current record for the comparison after a conflict. Without it, a conflict is shown like any other error. */
  reload?: (() => Promise<Value>) | undefined
}

export interface RecordEntry {
  form: RefObject<HTMLFormElement | null>
  value: (name: string) => string
  type: (name: string, text: string) => void
  /** What is wrong with a field, once somebody has tried to save it. */
  errorOf: (name: string) => string | undefined
  /** To be called when the warning about the entry of a field is on the screen. */
  warned: (name: string) => void
  /** The warning about a field is shown although the user is in it: it was not seen before it was tried to save it. */
  isHeld: (name: string) => boolean
  /** An entry was not saved because nobody had seen the warning about it. */
  hasHeld: boolean
  /** The number of required fields without an entry, once somebody has tried to save. */
  missing: number
  /** Saving without a change would create a version without content. */
  isUnchanged: boolean
  isSaving: boolean
  submit: (decision?: Decision) => void
  error: unknown
  conflicts: readonly Conflict[]
  /** The same user has made the other change, in another window. */
  isOwnConflict: boolean
  /** An earlier attempt may have been stored: the user decides. */
  isAsked: boolean
  /** The entry is of an earlier visit to the form. */
  isRestored: boolean
  /** Begins again with the stored record. */
  discard: () => void
  /** Forgets the draft. */
  clear: () => void
}

/** What the service refused about one field, until its input is another. */
interface Refusal {
  name: string
  text: string
  words: string
}

const inputOf = ({ name }: { name: string }) => `input[name="${name}"]`
/** Somebody else writes the record all the time: the user decides. */
const TRIES = 3

const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 409
const REQUIRED = 'This field is required.'
const WRONG = '[aria-invalid="true"]'

export function useRecordEntry<Value>({ draftKey, fields, record, save, reload }: EditedRecord<Value>): RecordEntry {
  const draft = useDraft<{ base: Value; typed: Typed }>(draftKey, () => ({ base: record, typed: {} }))
  const { typed } = draft.value
  // Without input the form follows the record's latest version; input stays based on the version that it was entered on.
  const base = Object.keys(typed).length === 0 ? record : draft.value.base
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const [isOwnConflict, setOwnConflict] = useState(false)
  const { user } = useSession()
  const [error, setError] = useState<unknown>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [isSaving, setSaving] = useState(false)
  const [wasTried, setTried] = useState(false)
  const [held, setHeld] = useState<Typed>({})
  /** The entries whose warning was on the screen. */
  const seen = useRef<Typed>({})
  const attempts = useAttempts<Value>(draftKey)
  const form = useRef<HTMLFormElement>(null)
  const isStored = reload !== undefined
  const missing = missingFields(fields, base, typed, isStored)
  const unfinished = shortYears(fields, base, typed)
  const changed = changedFields(fields, base, typed)

  const type = (name: string, text: string) => {
    const followed = fields.find((field) => field.name === name)?.follow?.(text, value)
    draft.set({ base, typed: { ...typed, ...followed, [name]: text } })
  }
  const value = (name: string) => typed[name] ?? fields.find((field) => field.name === name)?.read(base) ?? ''

  /**
   * The field whose warning nobody can have seen, because it is shown when the field is left: Enter was pressed in it, or the button of a form that
   * is gone afterwards. The one of a form that stays shows its warnings beside what was saved.
   */
  const unseenOddity = () =>
    changed.find((field) => {
      const entry = value(field.name)
      const places = [document.activeElement, ...(isStored ? [] : [focusBeforePress()])]
      return (
        places.some((place) => place?.matches(inputOf(field))) &&
        seen.current[field.name] !== entry &&
        oddityOf(field, entry, value) !== undefined
      )
    })

  const isHeld = (name: string) => held[name] !== undefined && held[name] === value(name)

  async function submit(decision?: Decision) {
    flushSync(() => setTried(true))
    if (missing.length + unfinished.length > 0) return focusOn(form.current, WRONG)
    const unseen = unseenOddity()
    flushSync(() => setHeld(unseen ? { [unseen.name]: value(unseen.name) } : {}))
    if (unseen) return focusOn(form.current, inputOf(unseen))
    const pressed = document.activeElement
    setSaving(true)
    setError(undefined)
    setRefusal(undefined)
    try {
      const saved = await storeOnLatest(decision)
      if (saved === 'refused') forgetLost(draftKey)
      if (saved === 'asked' || saved === 'refused') return
      await begin()
      setConflicts([])
      setTried(false)
    } catch (caught) {
      if (isOutdated(caught) && reload) await compare(reload, caught)
      else refuse(caught)
    } finally {
      flushSync(() => setSaving(false))
      // The button that was pressed has lost the focus while it was disabled. Who has gone on typing elsewhere is left there.
      if (document.activeElement === document.body) focusOn(form.current, `${WRONG}, [role="alert"]`)
      else if (document.activeElement === pressed) focusOn(form.current, WRONG)
    }
  }

  /** Beside the field, if it is about one of the form that is still as it was sent. */
  function refuse(caught: unknown): void {
    const [about] = caught instanceof ApiError ? refusedFields(caught) : []
    const field = about && fieldAt(fields, applyTyped(fields, base, typed), about.path)
    const isAsSent = field && draft.latest().typed[field.name] === typed[field.name]
    if (isAsSent) setRefusal({ name: field.name, text: value(field.name), words: about.words })
    else setError(caught)
  }

  /** Changes of what the form does not have, such as a new note or the benefits of a response, are no reason to ask: the entry is saved on top. */
  async function storeOnLatest(decision: Decision | undefined): Promise<unknown> {
    let on = base
    for (let tries = 1; ; tries++) {
      try {
        return await store(decision, on)
      } catch (caught) {
        if (!(isOutdated(caught) && reload) || tries === TRIES) throw caught
        on = await reload()
        if (findConflicts(fields, base, on, typed).length > 0) throw caught
      }
    }
  }

  function store(decision: Decision | undefined, on: Value): Promise<unknown> {
    const entry = applyTyped(fields, on, typed)
    const work = (attempt: Attempt<Value>): Promise<unknown> => save(entry, attempt)
    // Of a stored record each version is written once.
    return isStored ? work({ idempotency_key: '' }) : attempts.send(entry, decision, work)
  }

  /** After a save. What was typed since then is not saved: it stays, as an entry on the record as it is now. A form that creates closes. */
  async function begin() {
    const later = () => Object.entries(draft.latest().typed).filter(([name, text]) => typed[name] !== text)
    const saved = later().length > 0 ? await reload?.().catch(() => base) : undefined
    if (saved !== undefined) return draft.set({ base: saved, typed: Object.fromEntries(later()) })
    draft.set({ base, typed: {} })
    draft.clear()
  }

  /** From here on the form is based on the newer record, with the user's input applied to it. */
  async function compare(read: () => Promise<Value>, caught: unknown) {
    const theirs = await read().catch(setError)
    if (theirs === undefined) return
    const entered = draft.latest().typed
    const found = findConflicts(fields, base, theirs, entered)
    setConflicts(found)
    setOwnConflict((theirs as { updating_user_id?: string }).updating_user_id === user.id)
    draft.set({ base: theirs, typed: entered })
    setError(found.length === 0 ? caught : undefined)
  }

  return {
    form,
    value,
    type,
    errorOf(name) {
      if (wasTried && missing.includes(name)) return REQUIRED
      if (wasTried && unfinished.includes(name)) return SHORT_YEAR
      return refusal?.name === name && refusal.text === value(name) ? refusal.words : undefined
    },
    warned: (name) => {
      seen.current = { ...seen.current, [name]: value(name) }
    },
    isHeld,
    hasHeld: fields.some(({ name }) => isHeld(name)),
    missing: wasTried ? missing.length : 0,
    isUnchanged: isStored && changed.length === 0 && conflicts.length === 0,
    isSaving,
    submit,
    error,
    conflicts,
    isOwnConflict,
    isAsked: attempts.isAsked,
    isRestored: draft.isRestored && changed.length > 0 && conflicts.length === 0,
    discard() {
      draft.set({ base: record, typed: {} })
      forgetAttempt(draftKey)
    },
    clear: draft.clear,
  }
}

function focusOn(form: HTMLFormElement | null, selector: string): void {
  form?.querySelector<HTMLElement>(selector)?.focus()
}
