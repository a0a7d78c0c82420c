import { Progress } from '@mantine/core'
import type { PlanCoverage } from '../../api/generated.ts'
import { type Bar, barsOf, dollars, networkWords } from '../../rules/benefits.ts'
import { NOT_BILLED } from '../../rules/copay.ts'
import { othersOf } from '../../rules/plan-figures.ts'
import styles from './check.module.css'

interface Props {
  plan: PlanCoverage | undefined
  /** Whether the patient may not be billed. */
  isBillingProhibited: boolean
}

export function Bars({ plan, isBillingProhibited }: Props) {
  const bars = barsOf(plan)
  const others = othersOf(plan)
  if (bars.length + others.length === 0) return null
  return (
    <section className={styles.section}>
      <h2>Deductible and out-of-pocket{isBillingProhibited && NOT_BILLED}</h2>
      <div className={styles.bars}>
        {bars.map((bar) => (
          <Amounts key={`${bar.network} ${bar.what} ${bar.who}`} bar={bar} />
        ))}
      </div>
      {bars.some(({ computed }) => computed) && (
        <p className={styles.computed}>* Computed from the other two; the payer does not state it.</p>
      )}
      {others.length > 0 && (
        <>
          <h3>Also stated</h3>
          <ul className={styles.notes}>
            {others.map(({ where, text, note }) => (
              <li key={`${where} ${text} ${note}`}>
                {where}: {text}
                {note && <span className={styles.soft}> {note}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Amounts({ bar: { what, who, network, total, met, remaining, computed } }: { bar: Bar }) {
  const label = `${what}, ${who.toLowerCase()}, ${networkWords[network].toLowerCase()}`
  const percent = total && met !== undefined ? Math.min(100, (met / total) * 100) : undefined
  return (
    <div>
      <strong>{what}</strong> <span className={styles.soft}>{`${who} · ${networkWords[network]}`}</span>
      {percent !== undefined && (
        <Progress value={percent} size="md" aria-label={`${label}: ${dollars(met)} of ${dollars(total)} met`} />
      )}
      <div className={styles.amounts}>
        <span>
          Met {dollars(met)}
          {computed === 'met' && '*'}
        </span>
        <span>
          <b>Remaining {dollars(remaining)}</b>
          {computed === 'remaining' && '*'}
        </span>
        <span>
          Total {dollars(total)}
          {computed === 'total' && '*'}
        </span>
      </div>
    </div>
  )
}
