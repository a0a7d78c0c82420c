// `anteroom user` against a running server: what an operator does is what the user meets at the next sign-in.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, outputOf, runHere } from '../support/finished-command.ts'
import { type Credentials, newClonePlace, type StartedServer, startServer } from '../support/started-server.ts'

const PASSWORD = 'lantern orbit velvet cactus'
const SESSION = '/anteroom/v1/session'

let place: Awaited<ReturnType<typeof newClonePlace>>
let server: StartedServer
let credentials: Credentials
beforeAll(async () => {
  place = await newClonePlace()
  server = await startServer(place.settings)
  credentials = await server.newCredentials()
})
afterAll(async () => {
  await server?.stop()
  await place?.remove()
})

const user = (...args: string[]) => runHere(['user', ...args], place.settings)
const printed = async (...args: string[]) => JSON.parse(await outputOf(user(...args, '--json')))
const inClinic = () => ['--organization', credentials.organization_id]
const create = (username: string, role = 'front_desk') => printed('create', username, ...inClinic(), '--role', role)

interface Signed {
  status: number
  message: string
  mustChange: boolean
  call(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>
}

async function signIn(username: string, password: string, more: object = {}): Promise<Signed> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password, ...more })
  const reply = await fetch(server.url + SESSION, { method: 'POST', headers, body })
  const answer = (await reply.json()) as Record<string, unknown>
  const signed = {
    ...headers,
    cookie: (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    'x-csrf-token': String(answer.csrf_token),
  }
  return {
    status: reply.status,
    message: String((answer.content as { message?: unknown } | undefined)?.message),
    mustChange: answer.must_change_password === true,
    async call(method, path, sent) {
      const sentBody = sent && { body: JSON.stringify(sent) }
      const given = await fetch(server.url + path, { method, headers: signed, ...sentBody })
      const text = await given.text()
      return { status: given.status, body: text ? JSON.parse(text) : {} }
    },
  }
}

/** A user who has chosen PASSWORD, and is signed in. */
async function newUser(username: string, role = 'front_desk'): Promise<Signed> {
  const { one_time_password } = await create(username, role)
  const first = await signIn(username, one_time_password)
  expect([first.status, first.mustChange]).toEqual([200, true])
  const chosen = { current_password: one_time_password, new_password: PASSWORD }
  expect((await first.call('PUT', `${SESSION}/password`, chosen)).status).toBe(200)
  return signIn(username, PASSWORD)
}

/** Another process has ended it: a server knows within ten seconds. */
const hasEnded = ({ call }: Signed) => expect.poll(async () => (await call('GET', SESSION)).status).toBe(401)

describe('anteroom user', () => {
  it('creates a user, whose one-time password opens nothing before another one is chosen, and lists all users of the organization', async () => {
    const made = await outputOf(
      user('create', 'Ana.Desk', ...inClinic(), '--role', 'front_desk', '--name', 'Ana Reyes'),
    )
    const [, password = ''] =
      /^id: [0-9a-f-]{36}\nusername: ana\.desk\nrole: front_desk\none_time_password: (\S+)\n$/.exec(
        made,
      ) as RegExpExecArray
    const first = await signIn('ana.desk', password)
    expect([first.status, first.mustChange]).toEqual([200, true])
    expect((await first.call('GET', '/notes/v1/scan?since=2020-01-01T00:00:00.000Z')).status).toBe(403)
    await newUser('bea.bills', 'billing')
    const listed = await printed('list', ...inClinic())
    expect(listed).toMatchObject([
      { username: 'ana.desk', name: 'Ana Reyes', role: 'front_desk', disabled: false, second_factor: false },
      { username: 'bea.bills', name: 'bea.bills', role: 'billing', last_signed_in_at: expect.stringMatching(/^20/) },
    ])
    const table = await outputOf(user('list', ...inClinic()))
    expect(table).toMatch(/^id +username +name +role +disabled +second_factor +last_signed_in_at\n/)
    expect(table + JSON.stringify(listed)).not.toContain(password)
  })

  it('gives a user who has forgotten the password a one-time one, and ends the sessions of the old one', async () => {
    const before = await newUser('cem.forgets')
    const { one_time_password } = await printed('reset', 'CEM.forgets')
    await hasEnded(before)
    expect((await signIn('cem.forgets', PASSWORD)).status).toBe(401)
    const after = await signIn('cem.forgets', one_time_password)
    expect([after.status, after.mustChange]).toEqual([200, true])
  })

  it('removes the second factor of a user who has lost the phone and the codes, and leaves the password as it is', async () => {
    const before = await newUser('dea.lost')
    const { body: made } = await before.call('POST', `${SESSION}/second-factor`, { current_password: PASSWORD })
    const one_time_code = new TOTP({ secret: Secret.fromBase32(String(made.secret)) }).generate()
    const confirmed = await before.call('POST', `${SESSION}/second-factor/confirmation`, { one_time_code })
    expect(confirmed.status).toBe(200)
    expect((await signIn('dea.lost', PASSWORD)).message).toMatch(/^one_time_code is required/)
    expect(await printed('reset', 'dea.lost', '--second-factor')).toEqual({
      username: 'dea.lost',
      second_factor: 'removed',
    })
    await hasEnded(before)
    const after = await signIn('dea.lost', PASSWORD)
    expect([after.status, after.mustChange]).toEqual([200, false])
    expect((await printed('reset', 'dea.lost', '--second-factor')).second_factor).toBe('was off')
  })

  it('disables a user, whose sessions end and who cannot sign in, until the user is enabled again', async () => {
    const before = await newUser('eli.leaves')
    expect(await printed('disable', 'eli.leaves')).toEqual({ username: 'eli.leaves', disabled: true })
    await hasEnded(before)
    expect((await signIn('eli.leaves', PASSWORD)).status).toBe(401)
    expect(await printed('enable', 'eli.leaves')).toEqual({ username: 'eli.leaves', disabled: false })
    expect((await signIn('eli.leaves', PASSWORD)).status).toBe(200)
    // Their sessions do not come back with them.
    expect((await before.call('GET', SESSION)).status).toBe(401)
  })

  it('leaves each change in the audit trail with the id of the user, and no password', async () => {
    await create('fay.watched')
    await printed('disable', 'fay.watched')
    const users = (await printed('list', ...inClinic())) as { id: string; username: string }[]
    const id = users.find(({ username }) => username === 'fay.watched')?.id
    const trail = JSON.parse(
      await outputOf(
        runHere(['audit', 'list', '--organization', credentials.organization_id, '--json'], place.settings),
      ),
    ) as { operation: string; record_ids?: string[] }[]
    const ofUser = trail.filter((event) => JSON.stringify(event).includes(String(id))).map(({ operation }) => operation)
    expect(ofUser).toEqual(expect.arrayContaining(['command.user create', 'command.user disable']))
  })

  it.each([
    [['create', 'gil', '--role', 'front_desk'], 2, /--organization is required/],
    [['create', 'gil', '--organization', 'x', '--role', 'boss'], 2, /--role.*front_desk/],
    [['create', 'g', '--organization', 'x', '--role', 'billing'], 2, /a username has 2 to 100/],
    [['create', 'gil', '--organization', 'x', '--role', 'billing', '--name', 'x'.repeat(201)], 2, /--name must have/],
    [['create', 'gil', '--organization', 'nowhere', '--role', 'billing'], 1, /no organization/],
    [['list', '--organization', 'nowhere'], 1, /no organization/],
    [['reset', 'nobody.known'], 1, /there is no user nobody\.known/],
    [['disable', 'nobody.known'], 1, /there is no user nobody\.known/],
    [['link', 'nobody.known', '--subject', 's'], 1, /OIDC_ISSUER is not set/],
    [['unlink', 'nobody.known'], 1, /there is no user nobody\.known/],
  ] as const)('%j is refused in one line', async (args, code, line) => {
    expectRefusal(await user(...args), code, line)
  })

  it('refuses a username that is in use, in any case, and unlinks nobody who is not linked', async () => {
    await create('hal.twice')
    expectRefusal(
      await user('create', 'HAL.Twice', ...inClinic(), '--role', 'billing'),
      1,
      /hal\.twice is taken; .*anteroom user reset hal\.twice/,
    )
    expectRefusal(await user('unlink', 'hal.twice'), 1, /hal\.twice is not linked/)
  })
})
