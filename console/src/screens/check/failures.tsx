import { TRY_LATER } from '../../../../src/contract/answer-notes.ts'
import type { EligibilityCheckError } from '../../api/generated.ts'
import { capital } from '../../rules/names.ts'
import { explainCheckError } from '../../rules/reject-words.ts'
import styles from './check.module.css'

interface Props {
  errors: readonly EligibilityCheckError[]
  /** A payer may answer and reject a part of the inquiry. */
  isUnknown: boolean
}

/** Why the status is unknown, who resolves it and how, with the payer's own text and code below. */
export function Failures({ errors, isUnknown }: Props) {
  if (errors.length === 0) return null
  return (
    <section className={styles.section}>
      <h2>{isUnknown ? 'Why the status is unknown' : 'What the payer rejected'}</h2>
      {errors.map(({ errorDetails }, place) => {
        const { code, description, field, possibleResolutions, followupAction } = errorDetails
        const known = explainCheckError(errorDetails)
        const means = known?.means ?? capital(description ?? 'The check could not be completed.')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two may be the same
          <div key={place} className={styles.failure}>
            <strong>{means}</strong>
            <p>{known ? `${known.owner}: ${known.todo}` : (possibleResolutions ?? TRY_LATER)}</p>
            <p className={styles.soft}>
              {[
                code && `Code ${code}`,
                means !== capital(description ?? '') && description,
                field,
                followupAction,
                known && possibleResolutions,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </div>
        )
      })}
    </section>
  )
}
