// What the service refuses of a form whose inputs are not `Field`s, such as those of Administration: said beside the input that it is about.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { ApiError } from '../api/client.ts'
import { type Inputs, refusalsBeside } from '../rules/errors.ts'

interface Refusals {
  form: RefObject<HTMLFormElement | null>
  /** Why the input at this path of the interface was refused, until it is another. */
  errorOf: (path: string) => string | undefined
  /** What is about no input of the form as it is: to be shown as a `Problem`. */
  rest: unknown
}

const INVALID = '[aria-invalid="true"]'

/**
 * Of a write as `useMutation` has it. `inputs`: the texts of the form, by their paths in the interface. The first that was refused takes the
 * focus, unless the user has gone on elsewhere.
 */
export function useRefusals({ isPending, error }: { isPending: boolean; error: unknown }, inputs: Inputs): Refusals {
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef<{ inputs: Inputs; pressed: Element | null }>({ inputs, pressed: null })
  const wasPending = useRef(false)
  useLayoutEffect(() => {
    // Only of the rendering in which it is sent: what is typed later was not refused.
    if (isPending && !wasPending.current) sent.current = { inputs, pressed: document.activeElement }
    wasPending.current = isPending
  })
  // Where it is said is decided when it arrives: what the user corrects afterwards takes it away.
  const arrived = useRef<{ error: unknown; beside?: Inputs | undefined }>({ error: undefined })
  if (arrived.current.error !== error) {
    const beside = error instanceof ApiError ? refusalsBeside(error, sent.current.inputs, inputs) : undefined
    arrived.current = { error, beside }
  }
  const { beside } = arrived.current
  useEffect(() => {
    const { activeElement } = document
    const isWaiting = activeElement === document.body || activeElement === sent.current.pressed
    if (error && arrived.current.beside && isWaiting) form.current?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [error])
  return {
    form,
    errorOf: (path) => (sent.current.inputs[path] === inputs[path] ? beside?.[path] : undefined),
    rest: beside ? undefined : (error ?? undefined),
  }
}
