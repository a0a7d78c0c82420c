// The package that `npm pack` creates: it starts without a build.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDesk } from '../support/desk.ts'
import { freePort } from '../support/free-port.ts'
import { packageRoot } from '../support/started-server.ts'

interface Packed {
  filename: string
  files: { path: string }[]
}

let folder = ''
let files: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-package-'))
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: packageRoot })
  // npm 12 lists packages by name, earlier versions one after the other.
  const [{ filename, files: listed }] = Object.values(JSON.parse(String(packed))) as [Packed]
  files = listed.map(({ path }) => path)
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  // The libraries that are not part of the build, as `npm install` provides them.
  await symlink(join(packageRoot, 'node_modules'), join(folder, 'package', 'node_modules'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('contains the program, and no source, no test and no key', () => {
  const top = new Set(files.map((path) => path.split('/')[0]))
  expect([...top].sort()).toEqual(
    [
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin',
      'dist',
      'docs',
      'migrations',
      'openapi.json',
      'package.json',
      'scripts',
      'src',
    ].sort(),
  )
  expect(files.filter((path) => /\.(ts|pem|key)$|\.env|test/.test(path))).toEqual([])
  expect(files.filter((path) => path.startsWith('src/'))).toEqual([
    'src/platform/http/documentation/reference.js',
    'src/tools/sandbox/roster.json',
    'src/tools/seed/people.json',
  ])
})

it('serves from an empty folder, with the sandbox and the documentation, after a few short lines', async () => {
  const port = await freePort()
  const program = join(folder, 'package', 'bin', 'anteroom.js')
  const { NODE_ENV: _, ...environment } = process.env
  const server = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: { ...environment, PORT: String(port), CORE_PORT: '0', DATA_DIR: join(folder, 'data') },
  })
  try {
    let output = ''
    await new Promise<void>((resolve, reject) => {
      server.stdout.on('data', (chunk) => {
        output += chunk
        if (/client_secret\s+\S+/.test(output)) resolve()
      })
      let errors = ''
      server.stderr.on('data', (chunk) => {
        errors += chunk
      })
      server.once('exit', () => reject(new Error(errors)))
    })
    expect(output.split('\n').filter((line) => line.length > 200)).toEqual([])
    const field = (name: string) => new RegExp(`${name}\\s+(\\S+)`).exec(output)?.[1] ?? ''
    const credentials = { client_id: field('client_id'), client_secret: field('client_secret'), organization_id: '' }
    const desk = await openDesk(`http://127.0.0.1:${port}`, credentials)
    expect(await desk.newPatient()).toMatchObject({ version: 1 })
    expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/docs/reference.js`)).status).toBe(200)
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
})

it('names the Node that it needs when it is started with an older one', () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`
  const program = join(folder, 'package', 'bin', 'anteroom.js')
  const started = spawnSync(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(older)}`,
    program,
  ])
  expect([started.status, String(started.stderr)]).toEqual([
    1,
    'anteroom: Node 20.19 or newer is required, and this is Node 18.20.8\n',
  ])
})
