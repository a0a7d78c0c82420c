import { type ReactNode, useEffect, useRef } from 'react'

/** The heading of a part that the user has just opened: it takes the focus, so that the next Tab is in that part, and screen readers read it. */
export function Opened({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}
