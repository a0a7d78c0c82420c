import { sayContact } from '../../../../src/x12/codes/contacts.ts'
import { PLAN_SERVICE } from '../../../../src/x12/codes/service-types.ts'
import type { EligibilityRequest, ParsedResponse } from '../../api/generated.ts'
import { notesOf } from '../../rules/benefits.ts'
import { shortDay } from '../../rules/days.ts'
import { serviceTypeName } from '../../rules/service-types.ts'
import { Fact } from '../../ui/fact.tsx'
import styles from './check.module.css'

/** The services that a party is named for, unless it is the plan. */
function forServices(codes: readonly string[] = []): string {
  const names = codes.filter((code) => code !== PLAN_SERVICE).map(serviceTypeName)
  return names.length === 0 ? '' : ` for ${names.join(', ')}`
}

/** The plan, its dates, and the person the answer is about: payers may put dependents into the subscriber's place, and the reverse. */
export function PlanFacts({ answer, request }: { answer: ParsedResponse; request: EligibilityRequest | undefined }) {
  const plan = answer.plan_metadata
  const { parts } = notesOf(answer.benefits?.notes)
  const entities = answer.benefits?.benefits_related_entities ?? []
  const name = (person: { first_name?: string; last_name?: string } | undefined) =>
    person && [person.first_name, person.last_name].filter(Boolean).join(' ')
  return (
    <section className={styles.section}>
      <h2>Plan</h2>
      <dl className={styles.facts}>
        <Fact label="Plan" text={plan?.plan_name} />
        <Fact label="Type" text={parts.length > 0 ? undefined : plan?.insurance_type} />
        <Fact label="Member ID" text={plan?.member_id} />
        <Fact label="Group" text={plan?.group_number} />
        <Fact label="Begins" text={shortDay(plan?.start_date)} />
        <Fact label="Ends" text={shortDay(plan?.end_date)} />
        <Fact label="Subscriber" text={name(plan?.subscriber)} />
        <Fact label="Dependent" text={name(plan?.dependent)} />
        <Fact label="Inquiry for" text={name(request?.dependent ?? request?.subscriber)} />
      </dl>
      {parts.length > 0 && (
        <ul className={styles.notes}>
          {parts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      )}
      {entities.length > 0 && (
        <>
          <h3>Other parties and payers in the response</h3>
          <ul className={styles.notes}>
            {entities.map(({ entityIdentifier, entityName, contactInformation, serviceTypeCodes }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two may be the same
              <li key={place}>
                {entityIdentifier ?? 'Other'}: <strong>{entityName ?? 'not named'}</strong>
                {forServices(serviceTypeCodes)}
                {contactInformation && ': '}
                {(contactInformation ?? []).map(sayContact).join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
