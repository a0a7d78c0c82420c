import { Link } from '@tanstack/react-router'
import { Empty } from './states.tsx'

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <Link to="/today">Go to today</Link>
    </Empty>
  )
}
