import { Link } from '@tanstack/react-router'

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
