// Searches payers for coverages of a patient who has no card.
import { Button } from '@mantine/core'
import type { Coverage, InsuranceDiscoveryResponse, Patient } from '../../api/generated.ts'
import { useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { dayOf, shortDay } from '../../rules/days.ts'
import { type FoundCoverage, isRecorded, readFound, toDiscovery } from '../../rules/discovery.ts'
import { Fact } from '../../ui/fact.tsx'
import { Form } from '../../ui/form.tsx'
import { Opened } from '../../ui/opened.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './find-coverage.module.css'
import { InquiringProvider, useInquiringProvider } from './inquiring-provider.tsx'
import inquiry from './inquiry.module.css'
import patientStyles from './patient.module.css'

interface Props {
  patient: Patient
  recorded: readonly Coverage[]
  /** Opens the form for a new coverage with what was found. */
  onTake: (found: FoundCoverage) => void
  onClose: () => void
}

export function FindCoverage({ patient, recorded, onTake, onClose }: Props) {
  const { organization } = useSession()
  const { remember, ...provider } = useInquiringProvider(patient)
  const search = useWrite('eligibilityChecks.insuranceDiscovery')

  function start() {
    remember()
    search.mutate({ body: toDiscovery(patient, provider.npi, dayOf(Date.now(), organization.time_zone)) })
  }

  return (
    <Form className={patientStyles.card} onSubmit={start}>
      <Opened>Find coverage</Opened>
      <p>
        Asks payers for coverage by the patient’s name, birth date, sex, address and recorded social security number. A
        search can take a minute, and clearinghouses may charge for it.
      </p>
      <div className={inquiry.check}>
        <InquiringProvider {...provider} />
        <Button type="submit" loading={search.isPending} disabled={provider.npi === ''}>
          Search payers
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {search.error && <Problem error={search.error} />}
      <p role="status">{search.data && describeFound(search.data)}</p>
      {search.data && <Results response={search.data} recorded={recorded} onTake={onTake} />}
    </Form>
  )
}

interface ResultsProps extends Pick<Props, 'recorded' | 'onTake'> {
  response: InsuranceDiscoveryResponse
}

function Results({ response, recorded, onTake }: ResultsProps) {
  return (
    <>
      {readFound(response.items ?? []).map((coverage, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the results never change, and two may have one member ID
        <section key={place} className={styles.found}>
          <h3>{coverage.payerName}</h3>
          {coverage.review && <p>Confirm with the patient: {coverage.review}.</p>}
          <dl className={patientStyles.facts}>
            <Fact label="Member ID" text={coverage.memberId} />
            <Fact label="Payer ID" text={coverage.payerId} />
            <Fact label="Group" text={coverage.groupNumber} />
            <Fact label="Begins" text={shortDay(coverage.begins)} />
            <Fact label="Subscriber" text={`${coverage.subscriber.first} ${coverage.subscriber.last}`.trim()} />
          </dl>
          {isRecorded(coverage, recorded) ? (
            <p>This coverage is recorded already.</p>
          ) : (
            <Button
              size="xs"
              aria-label={`Add this coverage: ${coverage.payerName}, ${coverage.memberId}`}
              onClick={() => onTake(coverage)}
            >
              Add this coverage
            </Button>
          )}
        </section>
      ))}
    </>
  )
}

/** What screen readers read when the answer is there: the results follow, each with its heading. */
function describeFound({ items = [], errors: [failure] = [] }: InsuranceDiscoveryResponse): string {
  const { length } = readFound(items)
  if (failure) return failure.description ?? failure['description?'] ?? 'The search could not be completed.'
  if (length === 0) return 'No active coverage was found. The patient may still be covered.'
  return length === 1 ? 'One coverage was found.' : `${length} coverages were found.`
}
