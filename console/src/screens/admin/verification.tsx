import { Button, Checkbox, TextInput } from '@mantine/core'
import type { VerificationRules } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { resumeSession } from '../../api/session.ts'
import { enteredNpi } from '../../rules/entered.ts'
import { faultOfServiceTypes, serviceTypesIn } from '../../rules/service-types.ts'
import { serviceWords } from '../../rules/visits.ts'
import { announce } from '../../ui/announce.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { Lead } from './lead.tsx'

type Service = keyof VerificationRules['visit_services']

export default function Verification() {
  const { data, error, refetch } = useRead('verificationRules.get', {})
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the rules" />
  return (
    <>
      <Lead>
        Coverages are checked before visits, so that exceptions are found while there is time to resolve them.
      </Lead>
      <Rules rules={data} />
    </>
  )
}

const typedOf = (rules: VerificationRules) => ({
  isEnabled: rules.enabled,
  days: String(rules.days_ahead),
  npi: rules.npi ?? '',
  updates: rules.auto_update_benefits,
  codes: Object.fromEntries(
    Object.keys(serviceWords).map((name) => [name, rules.visit_services[name as Service]?.join(', ') ?? '']),
  ),
})

function Rules({ rules }: { rules: VerificationRules }) {
  const { value: typed, set, clear } = useDraft(`rules ${JSON.stringify(rules)}`, () => typedOf(rules))
  const { isEnabled, days, npi, updates, codes } = typed
  const update = useWrite('verificationRules.update', ['verificationRules.get'])
  const { form, errorOf, rest } = useRefusals(update, {
    days_ahead: days,
    npi,
    ...Object.fromEntries(Object.entries(codes).map(([name, text]) => [`visit_services.${name}`, text ?? ''])),
  })
  const listed = Object.entries(codes).map(([name, text]) => [name, serviceTypesIn(text ?? '')] as const)
  const visitServices = Object.fromEntries(
    listed.filter(([, list]) => list.length > 0),
  ) as VerificationRules['visit_services']

  return (
    <Form
      ref={form}
      className={styles.box}
      onSubmit={() => {
        const body = {
          enabled: isEnabled,
          days_ahead: Number(days),
          ...(npi !== '' && { npi }),
          visit_services: visitServices,
          auto_update_benefits: updates,
        }
        const onSuccess = () => {
          clear()
          announce('The rules are saved')
          // Forms for inquiries offer the NPI of the clinic, which the session has.
          resumeSession().catch(() => {})
        }
        update.mutate({ body }, { onSuccess })
      }}
    >
      <div className={styles.form}>
        <Checkbox
          className={styles.wide}
          label="Check coverages before visits automatically"
          checked={isEnabled}
          onChange={(event) => set({ ...typed, isEnabled: event.target.checked })}
        />
        <TextInput
          label="Days ahead"
          description="1 to 30"
          inputMode="numeric"
          value={days}
          error={/^([1-9]|[12]\d|30)$/.test(days) ? errorOf('days_ahead') : 'A number from 1 to 30'}
          onChange={(event) => set({ ...typed, days: event.target.value.trim() })}
        />
        <TextInput
          label="Clinic NPI"
          description="Used when a visit has no provider"
          inputMode="numeric"
          value={npi}
          error={errorOf('npi')}
          onChange={(event) => set({ ...typed, npi: enteredNpi(event.target.value) })}
        />
        <Checkbox
          className={styles.wide}
          label="Update coverages with the benefits of payer responses"
          checked={updates}
          onChange={(event) => set({ ...typed, updates: event.target.checked })}
        />
        <fieldset className={`${styles.fieldset} ${styles.wide}`}>
          <legend>Service types to check</legend>
          <p className={styles.soft}>
            Service type codes (X12 1365) for each kind of service, separated by commas, such as PT, 98. An empty field
            means an office visit.
          </p>
          <div className={styles.form}>
            {Object.entries(serviceWords).map(([name, label]) => (
              <TextInput
                key={name}
                label={label}
                value={codes[name] ?? ''}
                error={faultOfServiceTypes(serviceTypesIn(codes[name] ?? '')) ?? errorOf(`visit_services.${name}`)}
                onChange={(event) => set({ ...typed, codes: { ...codes, [name]: event.target.value } })}
              />
            ))}
          </div>
        </fieldset>
      </div>
      {rest !== undefined && <Problem error={rest} />}
      <Button type="submit" mt="sm" loading={update.isPending}>
        Save rules
      </Button>
    </Form>
  )
}
