import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { VerificationRules } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { announce } from '../../ui/announce.tsx'
import { Form } from '../../ui/form.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { Lead } from './parts.tsx'

const services = { MD_Visit: 'Doctor visit', Treatment: 'Treatment', Tests: 'Tests', Activity: 'Activity' } as const
type Service = keyof typeof services

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

function Rules({ rules }: { rules: VerificationRules }) {
  const [isEnabled, enable] = useState(rules.enabled)
  const [days, setDays] = useState(String(rules.days_ahead))
  const [npi, setNpi] = useState(rules.npi ?? '')
  const [updates, setUpdates] = useState(rules.auto_update_benefits)
  const [codes, setCodes] = useState(() =>
    Object.fromEntries(
      Object.keys(services).map((name) => [name, rules.visit_services[name as Service]?.join(', ') ?? '']),
    ),
  )
  const update = useWrite('verificationRules.update', ['verificationRules.get'])
  const listOf = (text = '') =>
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean)
  const visitServices = Object.fromEntries(
    Object.entries(codes).flatMap(([name, text]) => (listOf(text).length > 0 ? [[name, listOf(text)]] : [])),
  ) as VerificationRules['visit_services']

  return (
    <Form
      className={styles.box}
      onSubmit={() => {
        const body = {
          enabled: isEnabled,
          days_ahead: Number(days),
          ...(npi.trim() !== '' && { npi: npi.trim() }),
          visit_services: visitServices,
          auto_update_benefits: updates,
        }
        update.mutate({ body }, { onSuccess: () => announce('The rules are saved') })
      }}
    >
      <div className={styles.form}>
        <Checkbox
          className={styles.wide}
          label="Check coverages before visits automatically"
          checked={isEnabled}
          onChange={(event) => enable(event.target.checked)}
        />
        <TextInput
          label="Days ahead"
          description="1 to 30"
          inputMode="numeric"
          value={days}
          error={/^([1-9]|[12]\d|30)$/.test(days) ? undefined : 'A number from 1 to 30'}
          onChange={(event) => setDays(event.target.value.trim())}
        />
        <TextInput
          label="Clinic NPI"
          description="Used when a visit has no provider"
          inputMode="numeric"
          maxLength={10}
          value={npi}
          onChange={(event) => setNpi(event.target.value)}
        />
        <Checkbox
          className={styles.wide}
          label="Update coverages with the benefits of payer responses"
          checked={updates}
          onChange={(event) => setUpdates(event.target.checked)}
        />
        <fieldset className={`${styles.fieldset} ${styles.wide}`}>
          <legend>Service types to check</legend>
          <p className={styles.soft}>
            Service type codes (X12 1365) for each kind of service, separated by commas, such as PT, 98. An empty field
            means an office visit.
          </p>
          <div className={styles.form}>
            {Object.entries(services).map(([name, label]) => (
              <TextInput
                key={name}
                label={label}
                value={codes[name] ?? ''}
                onChange={(event) => setCodes({ ...codes, [name]: event.target.value })}
              />
            ))}
          </div>
        </fieldset>
      </div>
      {update.error && <Problem error={update.error} />}
      <Button type="submit" mt="sm" loading={update.isPending}>
        Save rules
      </Button>
    </Form>
  )
}
