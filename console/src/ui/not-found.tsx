import { Link } from '@tanstack/react-router'
import { Empty } from './states.tsx'

export function NotFound() {
  return (
    <Empty title="Page not found">
      <Link to="/today">Go to today</Link>
    </Empty>
  )
}
