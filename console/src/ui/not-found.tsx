import { Link } from '@tanstack/react-router'

/** A page that exists, and that the role of the user does not include. */
export function NotAllowed() {
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
