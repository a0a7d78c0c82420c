import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { NewUser, User } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { browserOf } from '../../rules/browsers.ts'
import { formatInstant } from '../../rules/days.ts'
import { entered } from '../../rules/entered.ts'
import { roleNames } from '../../rules/roles.ts'
import { announce } from '../../ui/announce.tsx'
import { Choice } from '../../ui/choice.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useDraftField } from '../../ui/draft.ts'
import { EndSession, useEndSession } from '../../ui/end-session.tsx'
import { Form } from '../../ui/form.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { Lead } from './lead.tsx'
import { SecretOnce } from './secret-once.tsx'

type Role = NewUser['role']
const roles = Object.entries(roleNames).map(([value, label]) => ({ value: value as Role, label }))

interface Shown {
  username: string
  password: string
}

/** An account that is changed may lose its sessions, which are listed below it. */
const CHANGED = ['users.getMulti', 'sessions.getMulti'] as const

export default function People() {
  const { data, error, refetch } = useRead('users.getMulti', {})
  const [shown, show] = useState<Shown>()
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="people" />
  return (
    <>
      <Lead>
        Users who can sign in. Each person has their own account, so that the audit trail shows who viewed what. An
        account is never removed, because records name it: disable the one of a person who leaves.
      </Lead>
      {shown && (
        <SecretOnce
          title={`One-time password of ${shown.username}`}
          advice="Give it to the person in confidence. At the first sign-in, within seven days, they choose their own."
          fields={[
            ['Username', shown.username],
            ['Password', shown.password],
          ]}
          onDone={() => show(undefined)}
        />
      )}
      <Rows label="People" heads={['Name', 'Role', 'State', 'Last signed in', 'Actions']}>
        {data.map((user) => (
          <Row key={user.id} user={user} onPassword={show} />
        ))}
      </Rows>
      <NewPerson onMade={show} />
      <Sessions />
    </>
  )
}

function Row({ user, onPassword }: { user: User; onPassword: (shown: Shown) => void }) {
  const { user: me, organization } = useSession()
  const update = useWrite('users.update', CHANGED)
  const isMe = me.id === user.id
  const save: Save = (change, done) => {
    const { name, role, disabled } = { ...user, ...change }
    update.mutate({ path: { user_id: user.id }, body: { name, role, disabled } }, { onSuccess: () => announce(done) })
  }
  return (
    <tr>
      <td>
        {user.name}
        {isMe && ' (you)'}
        <br />
        <span className={styles.soft}>{user.username}</span>
      </td>
      <td>
        {isMe ? (
          roleNames[user.role]
        ) : (
          <Choice
            label={`Role of ${user.name}`}
            options={roles}
            stored={user.role}
            button="Change role"
            disabled={update.isPending}
            onTake={(role) => save({ role }, `${user.name} is now ${roleNames[role]}, and signs in again`)}
          />
        )}
      </td>
      <td>
        {user.disabled ? <StateMark state="fault" word="Disabled" /> : <StateMark state="ok" word="Active" />}
        {user.must_change_password && <div className={styles.soft}>One-time password not used yet</div>}
        {user.second_factor && <div className={styles.soft}>Second factor enabled</div>}
      </td>
      <td>{user.last_signed_in_at ? formatInstant(user.last_signed_in_at, organization.time_zone) : 'Never'}</td>
      <td>
        {!isMe && <PersonActions user={user} save={save} isSaving={update.isPending} onPassword={onPassword} />}
        {update.error && <Problem name={`${user.name} was not changed`} error={update.error} />}
      </td>
    </tr>
  )
}

/** Saves a change of a person, and announces it in these words. */
type Save = (change: Partial<Pick<User, 'role' | 'disabled'>>, done: string) => void

interface PersonActionsProps {
  user: User
  save: Save
  isSaving: boolean
  onPassword: (shown: Shown) => void
}

/** What administrators do with the account of another person. */
function PersonActions({ user, save, isSaving, onPassword }: PersonActionsProps) {
  const reset = useWrite('users.resetPassword', CHANGED)
  const resetFactor = useWrite('users.resetSecondFactor', CHANGED)
  const fault = reset.error ?? resetFactor.error
  const path = { user_id: user.id }
  return (
    <>
      <div className={styles.actions}>
        <ConfirmButton
          label="New password"
          name={`New password for ${user.name}`}
          question={`A new one-time password for ${user.name}? Verify first that the request is theirs. The current password and their passkeys stop working, and their sessions end.`}
          loading={reset.isPending}
          onYes={() =>
            reset.mutate(
              { path },
              { onSuccess: (made) => onPassword({ username: user.username, password: made.one_time_password }) },
            )
          }
        />
        {user.second_factor && (
          <ConfirmButton
            label="Reset second factor"
            name={`Reset second factor of ${user.name}`}
            question={`Remove the second factor and the passkeys of ${user.name}? Verify first that the request is theirs. Their sessions end.`}
            loading={resetFactor.isPending}
            onYes={() =>
              resetFactor.mutate(
                { path },
                { onSuccess: () => announce(`${user.name} signs in with the password alone`) },
              )
            }
          />
        )}
        {user.disabled ? (
          <Button
            size="xs"
            variant="default"
            aria-label={`Enable ${user.name}`}
            loading={isSaving}
            onClick={() => save({ disabled: false }, `${user.name} can sign in again`)}
          >
            Enable
          </Button>
        ) : (
          <ConfirmButton
            label="Disable"
            name={`Disable ${user.name}`}
            question={`Disable ${user.name}? Their sessions end.`}
            loading={isSaving}
            onYes={() => save({ disabled: true }, `${user.name} can no longer sign in`)}
          />
        )}
      </div>
      {fault && <Problem error={fault} />}
    </>
  )
}

function NewPerson({ onMade }: { onMade: (shown: Shown) => void }) {
  const [name, setName, resetName] = useDraftField('new-person-name', '')
  const [username, setUsername, resetUsername] = useDraftField('new-person-username', '')
  const [role, setRole] = useDraftField<Role>('new-person-role', 'front_desk')
  const create = useWrite('users.create', ['users.getMulti'])
  const { form, errorOf, rest } = useRefusals(create, { name, username })
  return (
    <Form
      ref={form}
      className={styles.box}
      onSubmit={() => {
        create.mutate(
          { body: { name: entered(name), username: entered(username), role } },
          {
            onSuccess(made) {
              resetName()
              resetUsername()
              onMade({ username: made.username, password: made.one_time_password })
            },
          },
        )
      }}
    >
      <h2>New person</h2>
      <div className={styles.form}>
        <TextInput
          label="Name"
          required
          value={name}
          error={errorOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextInput
          label="Username"
          description="Used to sign in"
          required
          autoCapitalize="none"
          value={username}
          error={errorOf('username')}
          onChange={(event) => setUsername(event.target.value)}
        />
        <NativeSelect
          label="Role"
          data={roles}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        />
      </div>
      {rest !== undefined && <Problem error={rest} />}
      <Button type="submit" mt="sm" loading={create.isPending}>
        Create person
      </Button>
    </Form>
  )
}

function Sessions() {
  const { organization } = useSession()
  const { data, error, refetch } = useRead('sessions.getMulti', {})
  const end = useEndSession()
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="sessions" rows={2} />
  return (
    <>
      <h2>Active sessions</h2>
      <Rows label="Sessions" heads={['Person', 'From', 'Since', 'Last used', 'Actions']}>
        {data.map((session) => (
          <tr key={session.id}>
            <td>{session.user_name}</td>
            <td>
              {session.address}
              <br />
              <span className={styles.soft} title={session.user_agent}>
                {browserOf(session.user_agent)}
              </span>
            </td>
            <td>{formatInstant(session.created_at, organization.time_zone)}</td>
            <td>{formatInstant(session.last_used_at, organization.time_zone)}</td>
            <td>
              <EndSession
                end={end}
                session={session}
                name={`of ${session.user_name} since ${formatInstant(session.created_at, organization.time_zone)}`}
              />
            </td>
          </tr>
        ))}
      </Rows>
      {end.error && <Problem error={end.error} />}
    </>
  )
}
