// Says on every screen when the service has been away for longer than a moment: what is shown may be old, and what is typed is kept.
import { useEffect, useState } from 'react'
import { lastHeard, useEvents, useIsLive } from '../api/live.ts'
import { useSession } from '../api/session.ts'
import { clock } from '../rules/days.ts'
import styles from './shell.module.css'

const MOMENT_MS = 5_000
/** The screens listen for themselves; this keeps the connection on those that do not. */
const ignore = () => {}

export function Connection() {
  useEvents(ignore)
  const isLive = useIsLive()
  const { time_zone } = useSession().organization
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (isLive) return setLost(false)
    const timer = setTimeout(() => setLost(true), MOMENT_MS)
    return () => clearTimeout(timer)
  }, [isLive])
  return (
    <p role="status" className={styles.connection} data-lost={isLost}>
      {isLost &&
        `The service cannot be reached. What is shown may be out of date. The last update was at ${clock(lastHeard(), time_zone)}. What you type is kept.`}
    </p>
  )
}
