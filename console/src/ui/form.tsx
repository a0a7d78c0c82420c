import type { ReactNode, Ref } from 'react'

/** A form that the browser does not submit: Enter and its button call `onSubmit`. */
export function Form({
  ref,
  className,
  noValidate,
  onSubmit,
  children,
}: {
  ref?: Ref<HTMLFormElement>
  className?: string | undefined
  noValidate?: boolean
  onSubmit: (form: HTMLFormElement) => void
  children: ReactNode
}) {
  return (
    <form
      ref={ref}
      className={className}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}
