// Apart from started-server.ts: it takes nearly a second of processor time to load, in one file (compiled-sources.ts).
import { CandidApiClient } from 'candidhealth'
import { recordingFetch } from './recording-fetch.ts'
import type { Credentials, StartedServer } from './started-server.ts'

/** The published client as its documentation creates it, with one base URL. It does not retry, because tests count calls. */
export function publishedClient(server: StartedServer, credentials: Credentials): CandidApiClient {
  const { client_id: clientId, client_secret: clientSecret } = credentials
  return new CandidApiClient({ baseUrl: server.url, clientId, clientSecret, maxRetries: 0, fetch: recordingFetch })
}
