// Names the time in which everything is shown, on a computer with another one: an hour that is read wrongly is a missed visit.
import { useSession } from '../api/session.ts'
import { otherTime } from '../rules/days.ts'
import { useTime } from '../ui/clock.ts'
import styles from './shell.module.css'

export function ClinicTime() {
  const { organization } = useSession()
  const zone = useTime((now) => otherTime(now, organization.time_zone))
  return zone && <p className={styles.zone}>All times are the clinic’s: {zone}.</p>
}
