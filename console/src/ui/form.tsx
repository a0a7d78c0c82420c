import type { ReactNode } from 'react'

/** A form that the browser does not submit: Enter and its button call `onSubmit`. */
export function Form({
  className,
  noValidate,
  onSubmit,
  children,
}: {
  className?: string | undefined
  noValidate?: boolean
  onSubmit: (form: HTMLFormElement) => void
  children: ReactNode
}) {
  return (
    <form
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
