import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Anteroom`
  }, [title])
}

/** A page that exists, and that the role of the user does not include. */
export function NotAllowed() {
  useTitle('Not allowed')
  return (
    <>
      <h1>Your role does not include this page</h1>
      <p>If you need it for your work, ask an administrator to change your role.</p>
      <p>
        <Link to="/today">Go to today</Link>
      </p>
    </>
  )
}

export function NotFound() {
  useTitle('Page not found')
  return (
    <>
      <h1>Page not found</h1>
      <p>Check the address.</p>
      <p>
        <Link to="/today">Go to today</Link>
      </p>
    </>
  )
}
