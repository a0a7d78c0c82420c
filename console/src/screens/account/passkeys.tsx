import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Passkey } from '../../api/generated.ts'
import { isDismissed, isKnownHere, makePasskey, usePasskeys } from '../../api/passkeys.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import { announce } from '../../ui/announce.tsx'
import { Form } from '../../ui/form.tsx'
import { Rows } from '../../ui/rows.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './account.module.css'
import { PasswordProof } from './password-proof.tsx'

type Asked = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | undefined

export function Passkeys() {
  const canAdd = usePasskeys()
  const { data, error, refetch } = useRead('passkeys.getMulti', {})
  const [asked, ask] = useState<Asked>()
  const done = () => ask(undefined)
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="your passkeys" rows={1} />
  return (
    <>
      <p>
        A passkey signs you in with your fingerprint, your face or the PIN of this device, in place of the password and
        the code.
      </p>
      {data.length > 0 && <List passkeys={data} onAsk={ask} />}
      {asked?.what === 'add' && <Addition onDone={done} />}
      {asked?.what === 'rename' && <Renaming key={asked.passkey.id} passkey={asked.passkey} onDone={done} />}
      {asked?.what === 'remove' && <Removal key={asked.passkey.id} passkey={asked.passkey} onDone={done} />}
      {!asked && canAdd && <Button onClick={() => ask({ what: 'add' })}>Add a passkey</Button>}
      {!canAdd && (
        <p className={styles.soft}>
          Passkeys cannot be added here: this address or this browser does not support them.
        </p>
      )}
    </>
  )
}

function List({ passkeys, onAsk }: { passkeys: readonly Passkey[]; onAsk: (asked: Asked) => void }) {
  const { organization } = useSession()
  const format = (instant: string) => formatInstant(instant, organization.time_zone)
  return (
    <Rows label="Your passkeys" heads={['Name', 'Added', 'Last used', 'Actions']}>
      {passkeys.map((passkey) => (
        <tr key={passkey.id}>
          <td>
            <bdi>{passkey.name}</bdi>
          </td>
          <td>{format(passkey.created_at)}</td>
          <td>{passkey.last_used_at ? format(passkey.last_used_at) : 'Never'}</td>
          <td>
            <div className={styles.actions}>
              {(['rename', 'remove'] as const).map((what) => (
                <Button
                  key={what}
                  size="xs"
                  variant="default"
                  aria-label={`${what === 'rename' ? 'Rename' : 'Remove'} ${passkey.name}`}
                  onClick={() => onAsk({ what, passkey })}
                >
                  {what === 'rename' ? 'Rename' : 'Remove'}
                </Button>
              ))}
            </div>
          </td>
        </tr>
      ))}
    </Rows>
  )
}

function Addition({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  async function add(current_password: string) {
    setSending(true)
    setError(undefined)
    try {
      const credential = await makePasskey(await call('passkeys.begin', { body: { current_password } }))
      await call('passkeys.create', { body: { name: name.trim() || 'Passkey', credential } })
      await client.invalidateQueries({ queryKey: ['passkeys.getMulti'] })
      announce('The passkey was added.')
      onDone()
    } catch (caught) {
      setError(describeFailure(caught))
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      <TextInput
        className={styles.narrow}
        label="Name of the passkey"
        description="The device, for example: Front desk computer"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordProof
        title="Enter your password to add a passkey"
        isSending={isSending}
        error={error}
        onProof={add}
        onCancel={onDone}
      />
    </>
  )
}

function describeFailure(error: unknown): unknown {
  if (isDismissed(error)) return new Error('No passkey was created. Try again, and follow your browser’s dialog.')
  return isKnownHere(error) ? new Error('This device already has a passkey for your account.') : error
}

function Renaming({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const [name, setName] = useState(passkey.name)
  const rename = useWrite('passkeys.update', ['passkeys.getMulti'])
  const send = () =>
    rename.mutate(
      { path: { passkey_id: passkey.id }, body: { name: name.trim() } },
      {
        onSuccess() {
          announce('The passkey was renamed.')
          onDone()
        },
      },
    )
  return (
    <Form className={styles.narrow} onSubmit={send}>
      {rename.error && <Problem error={rename.error} />}
      <TextInput
        label={`New name of ${passkey.name}`}
        required
        autoFocus
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button type="submit" mt="sm" loading={rename.isPending} disabled={name.trim() === ''}>
          Save name
        </Button>
        <Button mt="sm" variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

function Removal({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const remove = useWrite('passkeys.remove', ['passkeys.getMulti'])
  const send = (current_password: string) =>
    remove.mutate(
      { path: { passkey_id: passkey.id }, body: { current_password } },
      {
        onSuccess() {
          announce('The passkey was removed. Delete it from your device, too.')
          onDone()
        },
      },
    )
  return (
    <PasswordProof
      title={`Enter your password to remove ${passkey.name}`}
      isSending={remove.isPending}
      error={remove.error}
      onProof={send}
      onCancel={onDone}
    />
  )
}
