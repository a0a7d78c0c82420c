import { type ReactNode, useEffect, useRef } from 'react'

/** The heading of a part that the user has just opened: it takes the focus, so that the next Tab is in that part, and screen readers read it. */
export function Opened({ level = 2, children }: { level?: 2 | 3; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const Heading = `h${level}` as const
  return (
    <Heading ref={heading} tabIndex={-1}>
      {children}
    </Heading>
  )
}
