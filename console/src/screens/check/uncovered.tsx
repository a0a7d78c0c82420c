import type { CoverageBenefits } from '../../api/generated.ts'
import { uncoveredOf } from '../../rules/plan-figures.ts'
import styles from './check.module.css'

/** Services that the payer does not cover. */
export function UncoveredServices({ details }: { details: CoverageBenefits['non_covered_details'] }) {
  const uncovered = uncoveredOf(details)
  if (uncovered.length === 0) return null
  return (
    <section className={styles.section}>
      <h2>Not covered</h2>
      <ul className={styles.notes}>
        {uncovered.map(({ services, note }) => (
          <li key={note ?? ''}>
            {services}
            {note && <span className={styles.soft}> {note}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
