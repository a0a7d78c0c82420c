import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SecondFactorSecret } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { announce } from '../../ui/announce.tsx'
import { Form } from '../../ui/form.tsx'
import { Opened } from '../../ui/opened.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './account.module.css'
import { isAbout, PasswordProof } from './password-proof.tsx'
import { QrCode } from './qr-code.tsx'

/** Actions that require the password. */
type Action = 'set up' | 'remove' | 'new codes' | undefined

export function SecondFactor() {
  const { data, error, refetch } = useRead('secondFactor.get', {})
  const [asked, ask] = useState<Action>()
  const [secret, setSecret] = useState<SecondFactorSecret>()
  const [codes, setCodes] = useState<string[]>()
  const begin = useWrite('secondFactor.create')
  const remove = useWrite('secondFactor.remove', ['secondFactor.get'])
  const renew = useWrite('secondFactor.renewRecoveryCodes', ['secondFactor.get'])
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the second factor" rows={1} />
  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          setCodes(undefined)
          focusSection()
        }}
      />
    )
  if (secret) {
    return (
      <Confirmation
        secret={secret}
        onCancel={() => setSecret(undefined)}
        onConfirmed={(shown) => {
          setSecret(undefined)
          setCodes(shown)
        }}
      />
    )
  }

  const done = () => ask(undefined)
  const write = { 'set up': begin, remove, 'new codes': renew }
  function prove(current_password: string) {
    const input = { body: { current_password } }
    const then =
      <Made,>(show: (made: Made) => void) =>
      (made: Made) => {
        show(made)
        done()
      }
    if (asked === 'set up') begin.mutate(input, { onSuccess: then(setSecret) })
    if (asked === 'new codes') renew.mutate(input, { onSuccess: then((made) => setCodes(made.recovery_codes)) })
    if (asked === 'remove')
      remove.mutate(input, {
        onSuccess: then(() => {
          announce('Sign-in now requires only your password.')
          focusSection()
        }),
      })
  }
  const choose = (what: Action) => {
    for (const each of [begin, remove, renew]) each.reset()
    ask(what)
  }

  return (
    <>
      <p>
        {data.enabled ? <StateMark state="ok" word="On" /> : <StateMark state="warning" word="Off" />}{' '}
        {data.enabled
          ? `Sign-in requires a code from your authenticator app. ${describeRemaining(data.recovery_codes_left)}`
          : 'Protects your account if your password becomes known: sign-in also requires a code from an app on your phone.'}
      </p>
      {asked ? (
        <PasswordProof
          key={asked}
          title={questions[asked]}
          isSending={write[asked].isPending}
          error={write[asked].error}
          onProof={prove}
          onCancel={done}
        />
      ) : (
        <div className={styles.actions}>
          {data.enabled ? (
            <>
              <Button variant="default" onClick={() => choose('new codes')}>
                New recovery codes
              </Button>
              <Button variant="default" onClick={() => choose('remove')}>
                Turn off
              </Button>
            </>
          ) : (
            <Button onClick={() => choose('set up')}>Set up</Button>
          )}
        </div>
      )}
    </>
  )
}

/** What had the focus before is gone: the button that began it does something else now. */
const focusSection = () => document.getElementById('second-factor')?.focus()

const questions = {
  'set up': 'Enter your password to set up an app',
  remove: 'Enter your password to turn off the second factor',
  'new codes': 'Enter your password to replace the recovery codes',
}

function describeRemaining(left: number): string {
  if (left === 0) return 'No recovery codes are left. Create new ones.'
  return left === 1 ? 'One recovery code is left.' : `${left} recovery codes are left.`
}

function Confirmation({
  secret: { secret, otpauth_url },
  onConfirmed,
  onCancel,
}: {
  secret: SecondFactorSecret
  onConfirmed: (codes: string[]) => void
  onCancel: () => void
}) {
  const [code, setCode] = useState('')
  const confirm = useWrite('secondFactor.confirm', ['secondFactor.get', 'sessions.getMulti'])
  const isWrong = isAbout(confirm.error, 'one_time_code')
  return (
    <Form
      onSubmit={() =>
        confirm.mutate(
          { body: { one_time_code: code } },
          {
            onSuccess({ recovery_codes }) {
              announce('The second factor is on. Keep the recovery codes.')
              onConfirmed(recovery_codes)
            },
          },
        )
      }
    >
      <ol className={styles.steps}>
        <li>
          Scan this with an authenticator app, or enter the key manually.
          <QrCode text={otpauth_url} label="QR code of the key below" />
          <span>Key: </span>
          <code className={styles.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </li>
        <li>
          <TextInput
            className={styles.narrow}
            label="Code from the app"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={isWrong && 'Incorrect code. Check that the clock of your phone is correct.'}
          />
        </li>
      </ol>
      {confirm.error && !isWrong && <Problem error={confirm.error} />}
      <div className={styles.actions}>
        <Button type="submit" mt="sm" loading={confirm.isPending}>
          Turn on
        </Button>
        <Button mt="sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      announce('The codes have been copied.')
    } catch {
      announce('The browser does not allow copying. Select the text instead.')
    }
  }
  return (
    <>
      <Opened level={3}>Recovery codes</Opened>
      <p>
        Each code signs you in once if you lose the app. They are shown only once. Store them away from the phone, on
        paper or in a password manager.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button onClick={onDone}>I have stored them</Button>
        <Button variant="default" onClick={copy}>
          Copy
        </Button>
      </div>
    </>
  )
}
