// The time of one organization's calls while another one overloads the service. Usage: npm run bench:fairness [rows of a bulk update]
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { coverageBody, eligibilityRequestBody, patientBody, planGroupBody } from '../test/support/bodies.ts'
import { authorize, type Client, newClient, startAnteroom, startScript } from './processes.ts'

const ROWS = Number(process.argv[2] ?? 20_000)
const ROUNDS = 200
const SILENT_PAYER = 'SILENT'

const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-fairness-'))
const payer = await startScript('payer-server.ts', ['20'])
/** Forwards inquiries, but never answers for one payer. */
const door = createServer(async (request, response) => {
  const body = await text(request)
  if (body.includes(SILENT_PAYER)) return
  const headers = { 'content-type': 'application/soap+xml' }
  const answer = await fetch(payer.url, { method: 'POST', headers, body })
  response.writeHead(answer.status, headers).end(await answer.text())
}).listen(0, '127.0.0.1')
await once(door, 'listening')
const settings = {
  DATA_DIR: dataDir,
  CLEARINGHOUSE_URL: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
}
const server = await startAnteroom(settings)

try {
  const hostile = await authorize(server)
  const other = await newClient(server, dataDir)
  const group = await fill(hostile)
  print(await measure('alone', other))
  const sockets = await halfSend(hostile, 1000)
  print(await measure('beside 1,000 half-sent requests', other))
  for (const socket of sockets) socket.destroy()
  // Each update sets another name, so that it writes all rows.
  let updates = 0
  const rename = () => planGroupBody({ payer_plan_group_id: group, payer_name: `Payer ${updates++}` })
  await beside(
    20,
    () => send(hostile, 'POST', `/coverages/v1/batch-update-ppg/${group}`, rename()),
    async () => print(await measure(`beside 20 bulk updates of ${ROWS} rows`, other)),
  )
  const check = eligibilityRequestBody({ payer_id: SILENT_PAYER })
  await beside(
    45,
    () => send(hostile, 'POST', '/eligibility-checks/v1', check),
    async () => print(await measure('beside 45 checks at a silent payer', other)),
  )
} finally {
  door.closeAllConnections()
  door.close()
  await Promise.all([server.stop(), payer.stop()])
  await rm(dataDir, { recursive: true, force: true })
}

async function send({ headers }: Pick<Client, 'headers'>, method: string, path: string, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
}

/** Coverages of one payer plan group. */
async function fill(client: Client): Promise<string> {
  const group = randomUUID()
  const patient = await send(client, 'POST', '/patients/v1', patientBody())
  const plan = { member_id: 'W1', payer_id: '60054', payer_name: 'Aetna', payer_plan_group_id: group }
  const body = coverageBody(patient.body.id, { insurance_plan: plan })
  let left = ROWS
  const write = async () => {
    while (left-- > 0) await send(client, 'POST', '/coverages/v1', body)
  }
  await Promise.all(Array.from({ length: 16 }, write))
  return group
}

async function halfSend({ headers }: Client, count: number): Promise<Socket[]> {
  const { port } = new URL(server.url)
  const sockets: Socket[] = []
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {}).resume()
    await once(socket, 'connect')
    const head = Object.entries({ host: 'x', ...headers, 'content-length': 9000 }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(`POST /notes/v1 HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{"`)
    sockets.push(socket)
  }
  return sockets
}

/** Keeps this number of calls in flight while `work` runs, and does not wait for those still open at its end. */
async function beside(count: number, call: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const keepCalling = async () => {
    while (!isOver) await call().catch(() => {})
  }
  for (let index = 0; index < count; index++) void keepCalling()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await work()
  isOver = true
}

interface Figures {
  name: string
  refused: number
  times: Record<string, number[]>
}

/** One call after the other, like a front-desk user. */
async function measure(name: string, client: Client): Promise<Figures> {
  const times: Figures['times'] = { read: [], write: [], check: [] }
  let refused = 0
  const { body: note } = await send(client, 'POST', '/notes/v1', { value: 'x' })
  const calls: Record<string, () => Promise<{ status: number }>> = {
    read: () => send(client, 'GET', `/notes/v1/${note.id}`),
    write: () => send(client, 'POST', '/notes/v1', { value: 'x' }),
    check: () => send(client, 'POST', '/eligibility-checks/v1', eligibilityRequestBody()),
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, call] of Object.entries(calls)) {
      const began = performance.now()
      if ((await call()).status !== 200) refused++
      times[kind]?.push(performance.now() - began)
    }
  }
  return { name, refused, times }
}

function print({ name, refused, times }: Figures): void {
  const figures = Object.entries(times).map(([kind, each]) => {
    const sorted = each.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)
    return `${kind} p50 ${at(0.5)} p99 ${at(0.99)} ms`
  })
  console.log(`${name}: ${figures.join(', ')}, refused ${refused}`)
}
