// How long a GET by id of one organization waits while another one sends hostile or large requests. Usage: npm run bench:stall
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { packageFile } from '../src/platform/package-root.ts'
import { eligibilityRequestBody, nameBody, patientBody } from '../test/support/bodies.ts'
import { message } from './decoding.ts'
import { authorize, type Client, newClient, startWatched } from './processes.ts'
import { hostileBodies } from './stall-bodies.ts'
import { volley } from './volley.ts'

const MB = 1024 * 1024
const FILL_MS = 6000
const CASE_MS = 1500
/** The limit for a case; one whose first request is not answered by then is measured up to here. */
const CASE_MAX_MS = 8000
const LARGE_RECORDS = 60
/** Runs only the cases whose name contains the argument. */
const only = process.argv[2] ?? ''

/** Half a megabyte and just under 6,000 segments, the bound of an answer (src/x12/bounds.ts): all of it is read. */
const largeAnswer = message(3900).replaceAll('~MSG*SPECIALIST', `~MSG*${'SPECIALIST '.repeat(42)}`)
/** Half as large, with rows of ninety services each. */
const services = Array.from({ length: 90 }, (_, index) => ['98', '33', '48', '50', '86', 'MH'][index % 6]).join('^')
const repeating = message(200).replaceAll(/~EB\*B\*IND\*\w+/g, `~EB*B*IND*${services}`)
const check = (memberId = 'W1') => {
  const request = eligibilityRequestBody()
  return JSON.stringify({ ...request, subscriber: { ...request.subscriber, member_id: memberId } })
}
const payer = createServer(async (request, response) => {
  const asked = await text(request)
  const trace = /TRN\*1\*(\w+)/.exec(asked)?.[1] ?? ''
  const patient = /NM1\*IL\*1\*[^~]*/.exec(asked)?.[0] ?? ''
  response.setHeader('content-type', 'application/soap+xml')
  response.end(
    envelope(
      (patient.includes('REPEATING') ? repeating : patient.includes('SMALL') ? message() : largeAnswer)
        .replace(/~NM1\*IL[^~]*/, `~TRN*2*${trace}*9ANTEROOM0~${patient}`)
        .replace('DMG*D8*19800101', 'DMG*D8*19840229'),
    ),
  )
}).listen(0, '127.0.0.1')
await once(payer, 'listening')
const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-stall-'))
const url = `http://127.0.0.1:${(payer.address() as AddressInfo).port}`
const server = await startWatched({ DATA_DIR: dataDir, CLEARINGHOUSE_URL: url })

/** Aborted when the watching process ends, as it does when a GET is refused, because it would never answer. */
const watching = new AbortController()
let watcher: ChildProcess | undefined

try {
  const hostile = await authorize(server)
  const other = await newClient(server, dataDir)
  const { id } = JSON.parse((await send(other, 'POST', '/notes/v1', JSON.stringify({ value: 'x' }))).body)
  const watched = [`${server.url}/notes/v1/${id}`, JSON.stringify(other.headers)]
  watcher = fork(packageFile('bench', 'stall-watch.ts'), watched)
  watcher.once('exit', () => watching.abort(new Error('the watching process has ended')))
  const patients = await fill(hostile)
  const large = await fillLarge(hostile)
  const { parsed_response, errors } = JSON.parse((await send(hostile, 'POST', '/eligibility-checks/v1', check())).body)
  if (!parsed_response) throw new Error(`the large answer was not read: ${JSON.stringify(errors)}`)
  console.log(
    `answer of the payer ${(largeAnswer.length / 1000).toFixed(0)} KB, patients of the organization ${patients}`,
  )
  console.log(
    '| while | requests, answered | longest request | GETs | p50 | p99 | max | longest turn, CPU |\n|---|---|---|---|---|---|---|---|',
  )
  const stored = await send(hostile, 'GET', '/anteroom/v1/eligibility-checks?limit=1')
  const [{ check_id }] = JSON.parse(stored.body).items
  const cases = { ...casesOf(hostile), ...casesOfLarge(hostile, large, check_id), ...casesWithoutToken() }
  for (const [name, calls] of Object.entries(cases).filter(([name]) => name.includes(only)))
    console.log(await measure(name, calls, watcher))
  console.log(
    `load of the machine ${loadavg()
      .map((each) => each.toFixed(1))
      .join(', ')}`,
  )
} finally {
  watcher?.kill()
  await server.stop()
  payer.closeAllConnections()
  payer.close()
  await rm(dataDir, { recursive: true, force: true })
}

type Answer = { status: number; body: string }
type Call = () => Promise<Answer>

async function send({ headers }: Client, method: string, path: string, body?: string): Promise<Answer> {
  const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) })
  return { status: response.status, body: await response.text() }
}

function casesOf(client: Client): Record<string, Call[]> {
  const post = (path: string, body: string) => () => send(client, 'POST', path, body)
  const get = (path: string) => () => send(client, 'GET', path)
  const listing = (length: number, item: string) => `[${Array.from({ length }, () => item).join(',')}]`
  return {
    nothing: [() => delay(50).then(() => ({ status: 0, body: '' }))],
    'bodies of 1 MB in 19 shapes': Object.values(hostileBodies(MB - 2000)).map((body) => post('/patients/v1', body)),
    'batch of 20 MB of nested empty arrays': [
      post('/eligibility-checks/v1/batch', `[${'['.repeat(9 * MB)}${']'.repeat(9 * MB)}]`),
      post('/eligibility-checks/v1/batch', listing(6 * MB, '[]')),
    ],
    'filter by a path of 99 letters': [get(`/lists/v1/patient?filters=${'a'.repeat(99)}%7Ceq%7Cx`)],
    'URL of 15,000 names without a value': [
      get(`/patients/v1/get_multi?${Array.from({ length: 15_000 }, (_, index) => index.toString(36)).join('&')}`),
    ],
    '700 bodies of 60 KB at once': [
      atOnce(700, post('/notes/v1', `{"value":"x","unknown":${listing(12_000, 'null')}}`)),
    ],
    '700 reads of a note at once': [atOnce(700, get(`/notes/v1/${crypto.randomUUID()}`))],
    'filters of 60 KB': [get(`/lists/v1/patient?filters=patient.mrn%7Cin%7C${'a;'.repeat(30_000)}`)],
    'page of 1,000 patients': [get('/patients/v1/get_multi?limit=1000')],
    'all patients': [get('/patients/v1')],
    'HEAD of all patients': [() => send(client, 'HEAD', '/patients/v1')],
    'check with the largest answer': [post('/eligibility-checks/v1', check())],
    'check with an answer of many repetitions': [post('/eligibility-checks/v1', check('REPEATING'))],
    'batch of 100 checks with the largest answer': [polledBatch(client, listing(100, check()))],
    'batch of 5,000 checks': [post('/eligibility-checks/v1/batch', listing(5000, check('SMALL')))],
    'batch of 10,000 checks of 2 KB': [
      post(
        '/eligibility-checks/v1/batch',
        listing(9500, check('SMALL').replace('{', `{"unknown":"${'x'.repeat(1500)}",`)),
      ),
    ],
  }
}

/** The largest records that an organization may have: pages and feeds of 1 MB each, a record with a thousand versions, a check. */
function casesOfLarge(client: Client, { id }: { id: string }, checkId: string): Record<string, Call[]> {
  const get = (path: string) => () => send(client, 'GET', path)
  const fields = Array.from({ length: 6000 }, (_, index) => ({
    key: `field ${index} ${'x'.repeat(90)}`,
    type: 'STRING',
  }))
  return {
    'page of 60 patients of 0.9 MB': [get('/patients/v1/get_multi?limit=1000&sort_field=mrn&sort_direction=desc')],
    'list of 60 patients of 0.9 MB': [get('/lists/v1/patient?limit=1000&sort_field=patient.mrn&sort_direction=desc')],
    'change feed over them': [get('/patients/v1/updates/scan?since=2020-01-01T00:00:00Z&maxResults=1000')],
    'history of 60 versions of 0.9 MB': [get(`/patients/v1/${id}/history`)],
    '500 reads at once of a patient of 0.9 MB': [atOnce(500, get(`/patients/v1/${id}`))],
    '60 benefit sheets at once of the largest answer': [
      atOnce(60, get(`/anteroom/v1/eligibility-checks/${checkId}/benefit-sheet`)),
    ],
    '60 reads at once of the largest answer': [atOnce(60, get(`/anteroom/v1/eligibility-checks/${checkId}`))],
    'audit trail of it all': [get('/anteroom/v1/audit?limit=1000')],
    'metadata schema of 6,000 fields': [
      () => send(client, 'POST', '/metadata-schemas/v1', JSON.stringify({ name: 'large', fields })),
      get('/metadata-schemas/v1'),
    ],
  }
}

/** What needs no credentials. */
function casesWithoutToken(): Record<string, Call[]> {
  const head = (request: string) => `${request} HTTP/1.1\r\nhost: x\r\n`
  const post = `${head('POST /api/auth/v2/token')}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  const texts = {
    '250 bodies in chunks of one byte': [250, `${post}${'1\r\nx\r\n'.repeat(10_000)}`],
    '1,000 heads of 12,000 fields': [1000, `${head('GET /healthz')}${'a:b\r\n'.repeat(12_000)}\r\n`],
    '200 connections of 2,500 requests': [200, `${head('GET /')}\r\n`.repeat(2500)],
    '3,000 unknown paths': [3000, `${head('GET /nowhere')}\r\n`],
  } as const
  return Object.fromEntries(
    Object.entries(texts).map(([name, [count, text]]) => [name, [() => volley(server.url, count, text)]]),
  )
}

function atOnce(count: number, call: Call): Call {
  return () => Promise.all(Array.from({ length: count }, call)).then(([first]) => first as Answer)
}

/** Creates as many patients as the time permits. */
async function fill(client: Client): Promise<number> {
  const end = performance.now() + FILL_MS
  let [sent, count] = [0, 0]
  const write = async () => {
    while (performance.now() < end) {
      const body = patientBody({ name: nameBody(`Rivera ${sent++}`) })
      if ((await send(client, 'POST', '/patients/v1', JSON.stringify(body))).status === 200) count++
    }
  }
  await Promise.all(Array.from({ length: 16 }, write))
  return count
}

/** A batch and the polling for its answers. */
function polledBatch(client: Client, body: string): Call {
  return async () => {
    const { batch_id } = JSON.parse((await send(client, 'POST', '/eligibility-checks/v1/batch', body)).body)
    for (;;) {
      const polled = await send(client, 'GET', `/eligibility-checks/v1/batch/${batch_id}`)
      if (polled.status !== 200 || JSON.parse(polled.body).total === 100) return polled
      await delay(500)
    }
  }
}

/** Many patients of the largest permitted size, and one with as many versions. */
async function fillLarge(client: Client): Promise<{ id: string }> {
  const large = (mrn: string) =>
    JSON.stringify(patientBody({ mrn, hipaa_code: 'text '.repeat(180_000), name: nameBody(mrn) }))
  let created = { status: 0, body: '' }
  for (let count = 0; count < LARGE_RECORDS; count++) {
    created = await send(client, 'POST', '/patients/v1', large(`z${count}`))
    // A field that no schema knows is dropped.
    if (created.status !== 200 || created.body.length < 900_000)
      throw new Error(`a large patient was answered ${created.status}: ${created.body.slice(0, 1000)}`)
  }
  const { id } = JSON.parse(created.body)
  for (let version = 1; version < LARGE_RECORDS; version++) {
    await send(client, 'PUT', `/patients/v1/${id}/${version}`, large(`z${LARGE_RECORDS - 1}`))
  }
  return { id }
}

/** A row of the table: the calls are repeated one after the other, with the GETs in parallel. */
async function measure(name: string, calls: Call[], watcher: ChildProcess): Promise<string> {
  const statuses = new Map<number, number>()
  let longest = 0
  const end = performance.now() + CASE_MS
  const work = async () => {
    for (let next = 0; next < calls.length || performance.now() < end; next++) {
      const began = performance.now()
      const { status } = await (calls[next % calls.length] as Call)().catch(() => ({ status: -1 }))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      longest = Math.max(longest, performance.now() - began)
    }
  }
  await server.longestTurnMs()
  watcher.send('start')
  await Promise.race([work(), delay(CASE_MAX_MS)])
  watcher.send('stop')
  const [waits] = (await once(watcher, 'message', { signal: watching.signal })) as [number[]]
  const turnMs = await server.longestTurnMs()
  const sorted = waits.toSorted((one, another) => one - another)
  const at = (share: number) => `${sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(0)} ms`
  const answered = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  return `| ${name} | ${answered} | ${longest.toFixed(0)} ms | ${sorted.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${turnMs.toFixed(0)} ms |`
}

function envelope(payload: string): string {
  return `<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>
<ns:COREEnvelopeRealTimeResponse xmlns:ns="http://www.caqh.org/SOAP/WSDL/CORERule2.2.0.xsd"><PayloadType>X12_271_Response_005010X279A1</PayloadType>
<ProcessingMode>RealTime</ProcessingMode><PayloadID>f81d4fae-7dec-11d0-a765-00a0c91e6bf6</PayloadID><TimeStamp>2026-03-10T12:00:00Z</TimeStamp>
<SenderID>PAYER</SenderID><ReceiverID>ANTEROOM</ReceiverID><CORERuleVersion>2.2.0</CORERuleVersion><Payload><![CDATA[${payload}]]></Payload>
<ErrorCode>Success</ErrorCode><ErrorMessage></ErrorMessage></ns:COREEnvelopeRealTimeResponse></soap:Body></soap:Envelope>`
}
