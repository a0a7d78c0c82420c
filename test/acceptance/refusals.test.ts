// Refusals that need a separate server: too many attempts, and an unavailable database.
import { afterEach, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { newClonePlace, type StartedServer, startServer } from '../support/started-server.ts'
import { bodyOf, errorOf } from './requests.ts'

let server: StartedServer | undefined
let place: Awaited<ReturnType<typeof newClonePlace>> | undefined

async function start(settings: Record<string, string> = {}) {
  place = await newClonePlace()
  server = await startServer({ ...place.settings, ...settings })
  const credentials = await server.newCredentials()
  return { credentials, client: publishedClient(server, credentials) }
}
afterEach(async () => {
  await server?.stop()
  await place?.remove()
})

test('too many token requests are refused with the typed error and the time to wait', async () => {
  const { client, credentials } = await start({ TOKEN_RATE_LIMIT: '2' })
  const request = { clientId: credentials.client_id, clientSecret: credentials.client_secret }
  const ask = () => client.auth.default.getToken(request)
  bodyOf(await ask())
  bodyOf(await ask())
  const { data, rawResponse } = await ask().withRawResponse()
  expect(errorOf(data)).toMatchObject({ errorName: 'TooManyRequestsError', content: { message: expect.any(String) } })
  expect(Number(rawResponse.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a merge with an unavailable database fails with the typed error', async () => {
  const { client } = await start()
  const merges = client.preEncounter.patientMerges.v1
  bodyOf(await merges.search({ mrns: ['nobody'] }))
  await place?.remove()
  const answer = await merges.create({ alternativePatientMrn: 'a', primaryPatientMrn: 'b' })
  expect(errorOf(answer)).toMatchObject({ errorName: 'InternalError', content: { message: expect.any(String) } })
})
