// NODE_ENV=production: no real patient is sent to the sandbox, and no address is guessed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newClonePlace, newDataFolder, runCommand, type Settings, startServer } from '../support/started-server.ts'

let place: Awaited<ReturnType<typeof newClonePlace>>
let folder: Awaited<ReturnType<typeof newDataFolder>>
let production: Settings
beforeAll(async () => {
  ;[place, folder] = await Promise.all([newClonePlace(), newDataFolder()])
  production = { ...place.settings, NODE_ENV: 'production', PORT: '0', CORE_PORT: '0', LOG_LEVEL: 'silent' }
  await runCommand(['organization', 'create', 'Harbor'], production)
})
afterAll(() => Promise.all([place?.remove(), folder?.remove()]))

const jane = {
  payer_id: '60054',
  provider: { npi: '1999999984' },
  subscriber: { member_id: 'AETNA12345', first_name: 'Jane', last_name: 'Doe', date_of_birth: '2004-04-04' },
}

interface Answer {
  access_token?: string
  parsed_response?: unknown
  errors?: unknown
}

describe.concurrent('in production', () => {
  test.each(['serve', 'worker'])('%s does not start without PUBLIC_URL', async (command) => {
    const { code, stdout, stderr } = await runCommand([command], production)
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^anteroom: invalid settings: PUBLIC_URL is required[^\n]*\n$/),
    ])
  })

  // src/main/cli/config.test.ts tries each kind of text that is no address.
  test('PUBLIC_URL must be an address', async () => {
    const PUBLIC_URL = 'https://me:pw@clinic.example'
    const { code, stderr } = await runCommand(['serve'], { ...production, PUBLIC_URL })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^anteroom: invalid settings: PUBLIC_URL [^\n]*\n$/)])
    expect(stderr).not.toContain(PUBLIC_URL)
  })

  test('a misspelled NODE_ENV is refused', async () => {
    const { code, stderr } = await runCommand(['serve'], { ...production, NODE_ENV: 'Production' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('NODE_ENV')])
  })

  test('a check without a clearinghouse is a clear error, and is not sent', async () => {
    const server = await startServer({ ...production, PUBLIC_URL: 'https://clinic.example' })
    try {
      expect(server.output()).not.toMatch(/sandbox/i)
      const { client_id, client_secret } = await server.newCredentials()
      const post = async (path: string, body: object, token = '') => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
        const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
        return { status: response.status, body: (await response.json()) as Answer }
      }
      const { body } = await post('/api/auth/v2/token', { client_id, client_secret })
      const check = await post('/eligibility-checks/v1', jane, body.access_token)
      expect(check.status).toBe(200)
      expect(check.body.parsed_response).toBeUndefined()
      expect(check.body.errors).toMatchObject([
        {
          source: 'CANDID',
          errorDetails: { code: 'NotConfigured', description: expect.stringContaining('no payer was asked') },
        },
      ])
      const payers = await post('/eligibility-checks/v1/payer/search', { query: 'aetna' }, body.access_token)
      expect(JSON.stringify(payers.body)).not.toContain('60054')
    } finally {
      await server.stop()
    }
  })

  test('the command line sends no inquiry either', async () => {
    const { code, stdout } = await runCommand(
      ['check', '-', '--json', '--organization', 'Harbor'],
      production,
      JSON.stringify(jane),
    )
    expect([code, JSON.parse(stdout).errors?.length]).toEqual([1, 1])
  })

  test('the sandbox starts if the settings name it', async () => {
    const named = { ...production, CLEARINGHOUSE_KIND: 'sandbox' }
    const { code, stdout } = await runCommand(
      ['check', '-', '--json', '--organization', 'Harbor'],
      named,
      JSON.stringify(jane),
    )
    expect([code, JSON.parse(stdout).parsed_response.eligibility_status]).toEqual([0, 'ACTIVE'])
  })
})
