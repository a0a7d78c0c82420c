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
  const beside = error instanceof ApiError ? refusalsBeside(error, sent.current.inputs, inputs) : undefined
  const isBeside = beside !== undefined
  useEffect(() => {
    const { activeElement } = document
    const isWaiting = activeElement === document.body || activeElement === sent.current.pressed
    if (error && isBeside && isWaiting) form.current?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [error, isBeside])
  return { form, errorOf: (path) => beside?.[path], rest: isBeside ? undefined : (error ?? undefined) }
}
