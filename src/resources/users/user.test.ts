// Administrators create, change and disable users, and cannot gain more rights than they have.
import { expect, it } from 'vitest'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../test/support/operations.ts'
import { GOOD_PASSWORD, newPerson, openPage, pageOf, signIn } from '../../../test/support/people.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { ROLES, scopesOf } from '../../platform/auth/roles.ts'
import { describeScopes, permits } from '../../platform/http/scopes.ts'

const service = testService()
const USERS = '/anteroom/v1/users'
let number = 0
const newUser = (more: object = {}) => ({
  username: `maria${++number}`,
  name: 'Maria Paz',
  role: 'front_desk',
  ...more,
})

async function make(caller: Pick<Caller, 'call'>, more: object = {}) {
  const reply = await caller.call('POST', USERS, newUser(more))
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(endpoints.find(({ operation }) => operation === 'users.create')!, reply)
  return reply.body
}

it('an administrator creates a user, who signs in with the password shown once and must choose another one first', async () => {
  const caller = await service.newCaller()
  const user = await make(caller)
  const reply = await signIn(service, { username: user.username, password: user.one_time_password })
  expect(reply.body).toMatchObject({ must_change_password: true, scopes: [] })
  const page = pageOf(service, reply)
  const refused = await page.call('GET', '/coverages/v1')
  expectEnvelope(refused, 403)
  expect(refused.text).toContain('choose a new password first')
  const changed = await page.call('PUT', '/anteroom/v1/session/password', {
    current_password: user.one_time_password,
    new_password: GOOD_PASSWORD,
  })
  expect(changed.status, changed.text).toBe(200)
  expect((await pageOf(service, changed).call('GET', '/coverages/v1')).status).toBe(200)
  const listed = (await caller.call('GET', USERS)).body
  expect(listed).toMatchObject([{ id: user.id, must_change_password: false }])
  expect(JSON.stringify(listed)).not.toContain(user.one_time_password)
})

it('a username is unique, not case-sensitive, and restricted to characters that can be typed', async () => {
  const caller = await service.newCaller()
  const { username } = await make(caller)
  expectEnvelope(await caller.call('POST', USERS, newUser({ username: username.toUpperCase() })), 409)
  for (const bad of ['', 'a', 'a\u202e', 'with space', 'zero\u200dwidth', '<script>', 'x'.repeat(101)])
    expectEnvelope(await caller.call('POST', USERS, newUser({ username: bad })), 400)
  // A character that nobody sees is no difference (decisions/0023-text-beyond-ascii.md).
  const turned = `${username.slice(0, 3)}\u202e${username.slice(3)}`
  expectEnvelope(await caller.call('POST', USERS, newUser({ username: turned })), 409)
  expectEnvelope(await caller.call('POST', USERS, newUser({ role: 'owner' })), 400)
})

it('the sessions of a user end with another role or when disabled, and continue with another name', async () => {
  const caller = await service.newCaller()
  const ana = await newPerson(service, { organizationId: caller.organizationId, role: 'front_desk' })
  const put = (body: object) =>
    caller.call('PUT', `${USERS}/${ana.id}`, { name: 'Ana', role: 'front_desk', disabled: false, ...body })
  const page = await openPage(service, ana)
  expect((await put({ name: 'Ana Maria Reyes' })).body.name).toBe('Ana Maria Reyes')
  expect((await page.call('GET', '/anteroom/v1/session')).body.user.name).toBe('Ana Maria Reyes')
  const rows = () => service.database.rows('select id from user_session where user_id = $1', [ana.id])
  expect((await put({ role: 'billing' })).status).toBe(200)
  expect(await rows()).toEqual([])
  await openPage(service, ana)
  expect((await put({ role: 'billing', disabled: true })).body.disabled).toBe(true)
  expect(await rows()).toEqual([])
  expect((await signIn(service, { username: ana.username, password: GOOD_PASSWORD })).status).toBe(401)
})

it('a reset password is shown once, ends the sessions and must be changed', async () => {
  const caller = await service.newCaller()
  const ana = await newPerson(service, { organizationId: caller.organizationId })
  await openPage(service, ana)
  const { body } = await caller.call('POST', `${USERS}/${ana.id}/password-reset`)
  expect((await signIn(service, { username: ana.username, password: GOOD_PASSWORD })).status).toBe(401)
  const reply = await signIn(service, { username: ana.username, password: body.one_time_password })
  expect(reply.body.must_change_password).toBe(true)
})

it('the last administrator can neither be disabled nor demoted, also by concurrent calls', async () => {
  const caller = await service.newCaller()
  const two = [
    await newPerson(service, { organizationId: caller.organizationId }),
    await newPerson(service, { organizationId: caller.organizationId }),
  ]
  const body = { name: 'Ana', role: 'administrator', disabled: true }
  const replies = await Promise.all(two.map(({ id }) => caller.call('PUT', `${USERS}/${id}`, body)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
})

it('a user cannot create, change or reset a user with more rights', async () => {
  const owner = await service.newCaller()
  const limited = await service.newCaller({ beside: owner, scopes: ['admin', '*:read'] })
  const admin = await newPerson(service, { organizationId: owner.organizationId })
  for (const role of ['administrator', 'front_desk', 'billing'])
    expectEnvelope(await limited.call('POST', USERS, newUser({ role })), 403)
  const reader = await make(limited, { role: 'read_only' })
  expectEnvelope(
    await limited.call('PUT', `${USERS}/${reader.id}`, { name: 'x', role: 'administrator', disabled: false }),
    403,
  )
  expectEnvelope(
    await limited.call('PUT', `${USERS}/${admin.id}`, { name: 'x', role: 'read_only', disabled: false }),
    403,
  )
  expectEnvelope(await limited.call('POST', `${USERS}/${admin.id}/password-reset`), 403)
})

it("another organization's users do not exist", async () => {
  const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
  const ana = await newPerson(service, { organizationId: owner.organizationId })
  await openPage(service, ana)
  const { body: sessions } = await (await openPage(service, ana)).call('GET', '/anteroom/v1/sessions')
  expect((await stranger.call('GET', USERS)).body).toEqual([])
  expectEnvelope(await stranger.call('PUT', `${USERS}/${ana.id}`, { name: 'x', role: 'billing', disabled: true }), 404)
  expectEnvelope(await stranger.call('POST', `${USERS}/${ana.id}/password-reset`), 404)
  const other = await openPage(service, await newPerson(service, { organizationId: stranger.organizationId }))
  expect((await other.call('GET', '/anteroom/v1/sessions')).body).toHaveLength(1)
  expectEnvelope(await other.call('DELETE', `/anteroom/v1/sessions/${sessions[0].id}`), 404)
})

it('administrators list and end every session of the organization, other users their own', async () => {
  const { organizationId } = await service.newCaller()
  const [admin, desk] = [
    await newPerson(service, { organizationId }),
    await newPerson(service, { organizationId, role: 'front_desk', name: 'Bo Lee' }),
  ]
  const [adminPage, deskPage, elsewhere] = [
    await openPage(service, admin),
    await openPage(service, desk),
    await openPage(service, desk),
  ]
  const list = async (page: typeof adminPage) => (await page.call('GET', '/anteroom/v1/sessions')).body
  const [all, own] = [await list(adminPage), await list(deskPage)]
  expect(all.map((each: { user_name: string }) => each.user_name).sort()).toEqual(['Ana Reyes', 'Bo Lee', 'Bo Lee'])
  expect(own.map((each: { user_id: string }) => each.user_id)).toEqual([desk.id, desk.id])
  const adminSession = all.find((each: { user_id: string }) => each.user_id === admin.id)
  expectEnvelope(await deskPage.call('DELETE', `/anteroom/v1/sessions/${adminSession.id}`), 404)
  const other = own.find((each: { is_current: boolean }) => !each.is_current)
  expect((await deskPage.call('DELETE', `/anteroom/v1/sessions/${other.id}`)).status).toBe(200)
  expectEnvelope(await elsewhere.call('GET', '/anteroom/v1/session'), 401)
  const current = own.find((each: { is_current: boolean }) => each.is_current)
  expect((await adminPage.call('DELETE', `/anteroom/v1/sessions/${current.id}`)).status).toBe(200)
  expectEnvelope(await deskPage.call('GET', '/anteroom/v1/session'), 401)
})

it('every role reads all records and has existing scopes; only administrators have more than records', () => {
  const all = Object.keys(describeScopes(endpoints))
  for (const role of ROLES) {
    const scopes = scopesOf(role)
    expect(scopes.filter((scope) => !all.includes(scope) && !/^\*:(read|write)$/.test(scope))).toEqual([])
    const granted = new Set(scopes)
    expect(
      all.filter((scope) => scope.endsWith(':read') && !permits(granted, scope)),
      role,
    ).toEqual([])
    expect(permits(granted, 'admin'), role).toBe(role === 'administrator')
  }
})

it('the list of thousands of users is complete, in their order, and sent in parts between which others are answered', async () => {
  const caller = await service.newCaller()
  await service.database.rows(
    `with ids as materialized (select gen_random_uuid() as id, number from generate_series(1, 1300) number),
      named as (insert into app_user (organization_id, id, name) select $1, id, 'User ' || number from ids)
    insert into user_account (organization_id, id, username, role, password_hash, must_change_password, created_at)
    select $1, id, 'many.' || id, 'front_desk', '', false, now() + number % 7 * interval '1 second' from ids`,
    [caller.organizationId],
  )
  const reply = await caller.call('GET', USERS)
  expect(reply.headers['content-length']).toBeUndefined()
  const expected = await service.database.rows(
    'select id from user_account where organization_id = $1 order by created_at, id',
    [caller.organizationId],
  )
  expect(reply.body.map(({ id }: { id: string }) => id)).toEqual(expected.flat())
})
