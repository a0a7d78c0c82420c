// Text from a payer or a caller reaches a terminal only as text, for every command.
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  print,
  printDiagnostic,
  printJson,
  printObject,
  printStyled,
  printTable,
} from '../../src/main/cli/program/output.ts'
import { runHere } from '../support/finished-command.ts'
import { newClonePlace, packageRoot, runCommand, type Settings } from '../support/started-server.ts'

/** ESC and CSI of both widths, a bell, DEL, NEL, bidirectional overrides and isolates, zero-width, line separators, tags. */
const HOSTILE =
  '\u001b[2J\u009b31m\u0007\u007f\u0085\u202e\u2066\u2069\u200e\u200b\u200d\u2060\ufeff\u00ad\u2028\u2029\u061c\u3164\u{e0041}'
const FORBIDDEN = /[^\P{C}\n]|[\u2028\u2029\u3164]/u

afterEach(() => vi.restoreAllMocks())

describe('what the commands print with', () => {
  function written(work: () => void): string {
    const chunks: string[] = []
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        chunks.push(String(chunk))
        return true
      })
    }
    work()
    vi.restoreAllMocks()
    return chunks.join('')
  }

  it.each<[string, () => void]>([
    ['print', () => print(HOSTILE)],
    ['printStyled', () => printStyled(HOSTILE)],
    ['printDiagnostic', () => printDiagnostic(HOSTILE)],
    ['printObject', () => printObject({ flags: {} }, { name: `${HOSTILE}\r\nis_admin: true` })],
    ['printTable', () => printTable({ flags: {} }, [{ name: `${HOSTILE}\r\nis_admin: true` }])],
    ['printJson', () => printJson({ [HOSTILE]: HOSTILE })],
  ])('%s leaves no character that a terminal interprets', (_name, work) => {
    const text = written(work)
    expect(text).not.toMatch(FORBIDDEN)
    expect(text).toContain('\\u009b31m')
    expect(text).not.toMatch(/^is_admin/m)
  })

  it('JSON output has the same value for a program', () => {
    const value = { [HOSTILE]: [HOSTILE, '\ud800'], name: 'Zoë 王明 محمد' }
    const text = written(() => printJson(value))
    expect(JSON.parse(text)).toEqual(value)
    expect(text).toContain('Zoë 王明 محمد')
  })

  it('is the only place that writes to standard output or standard error', async () => {
    const names = await readdir(join(packageRoot, 'src'), { recursive: true })
    const others = names.filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'main/cli/program/output.ts',
    )
    const texts = await Promise.all(
      others.map(async (name) => [name, await readFile(join(packageRoot, 'src', name), 'utf8')]),
    )
    const streams =
      /process\.(stdout|stderr)|= process$|\bconsole\.(log|info|warn|error|debug|trace|table|dir)\b|pino\.destination|\/dev\/(tty|std)/m
    expect(texts.filter(([, text = '']) => streams.test(text)).map(([name]) => name)).toEqual([])
  })
})

describe('every command that prints text from others', () => {
  let place: Awaited<ReturnType<typeof newClonePlace>>
  let payer: ReturnType<typeof createServer>
  let settings: Settings
  beforeAll(async () => {
    place = await newClonePlace()
    payer = createServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`broken ${HOSTILE}`)
    }).listen(0, '127.0.0.1')
    await once(payer, 'listening')
    const { port } = payer.address() as AddressInfo
    settings = { ...place.settings, CLEARINGHOUSE_URL: `http://127.0.0.1:${port}/`, CLEARINGHOUSE_TIMEOUT_MS: '3000' }
    const organization = ['organization', 'create', `Harbor ${HOSTILE}`, '--json']
    const { organization_id: id } = JSON.parse((await runCommand(organization, settings)).stdout)
    const csv = join(place.settings.DATA_DIR ?? '', 'payers.csv')
    await writeFile(csv, `PrimaryPayerId,DisplayName,${HOSTILE}\n60054,"Aetna ${HOSTILE}",x\n`)
    const connector = JSON.stringify({ url: `http://127.0.0.1:${port}/`, senderId: 'A', receiverId: 'B' })
    const json = JSON.stringify(request)
    await expectPlain(['client', 'create', `desk ${HOSTILE}`, '--organization', id])
    await expectPlain(['connector', 'create', id, 'evil', '--kind', 'core', '--settings', '-'], connector)
    await expectPlain(['payers', 'import', csv])
    lines = [
      [['client', 'list']],
      [['client', 'revoke', `nobody\n${HOSTILE}`]],
      [['organization', 'list']],
      [['organization', 'update', id]],
      [['payers', 'list']],
      [['payers', 'search', 'aetna']],
      [['connector', 'list', id]],
      [['connector', 'test', id, 'evil', '--payer', `6${HOSTILE}`]],
      [['check', '-'], json],
      [['check', '-', '--organization', `nobody ${HOSTILE}`], json],
      [['x12', 'decode', '-'], answer],
      [['x12', 'decode', HOSTILE]],
      [['audit', 'list', '--organization', id]],
      [['route', 'list', HOSTILE]],
      [[HOSTILE]],
      [['client', 'list', `--${HOSTILE}`]],
    ]
  })
  afterAll(async () => {
    payer?.close()
    await place?.remove()
  })

  const request = {
    payer_id: '60054',
    provider: { npi: '1999999984' },
    subscriber: { member_id: 'X1', first_name: 'Ada', last_name: `Lee ${HOSTILE}` },
  }
  let lines: [string[], string?][] = []

  it('prints it as text, and as JSON that programs read', async () => {
    const asJson = lines.filter(([args]) => ['list', 'update', 'search', 'decode', 'test'].includes(args[1] ?? ''))
    const all = [...lines, ...asJson.map(([args, input]) => [[...args, '--json'], input] as [string[], string?])]
    for (const line of all) await expectPlain(...line)
  })

  async function expectPlain(args: string[], input?: string): Promise<void> {
    const { code, stdout, stderr } = await (input ? runCommand(args, settings, input) : runHere(args, settings))
    expect(`${stdout}${stderr}`, args.join(' ')).not.toMatch(FORBIDDEN)
    expect(stderr, 'one line').toMatch(/^([^\n]+\n)?$/)
    if (code === 0 && args.includes('--json')) JSON.parse(stdout)
  }
})

const answer = `ISA*00*          *00*          *ZZ*NORTHWIND      *ZZ*ANTEROOM       *260301*0930*^*00501*000000042*0*T*:~
GS*HB*NORTHWIND*ANTEROOM*20260301*0930*42*X*005010X279A1~
ST*271*0001*005010X279A1~BHT*0022*11*REF-1*20260301*0930~
HL*1**20*1~NM1*PR*2*NORTHWIND ${HOSTILE}*****PI*NWH01~
HL*2*1*21*1~NM1*1P*2*HARBOR CLINIC*****XX*1999999984~
HL*3*2*22*0~NM1*IL*1*MARLOWE*IRIS ${HOSTILE}****MI*NW-100200~
EB*1**30**GOLD ${HOSTILE}~MSG*PAY ${HOSTILE}~
SE*${HOSTILE}*0001~GE*1*42~IEA*1*${HOSTILE}~
`
