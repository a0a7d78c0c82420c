// The code that V8 compiled when the program was built: a start uses it, and needs none.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../scripts/build.js'
import { programVersion } from '../../src/platform/package-root.ts'
import { packageRoot } from '../support/started-server.ts'

const folder = dirname(builtProgram)
/** Asked when a test runs: V8's flags belong to it, and those of the file before are still set when this one is loaded (optimize-later.ts). */
const ending = () => `.${cachedDataVersionTag()}.compiled`

it('is of this program and this version of V8', () => {
  const [compiled = ''] = readdirSync(folder).filter((name) => name.endsWith(ending()))
  const program = join(folder, compiled.slice(0, -ending().length))
  const cachedData = readFileSync(join(folder, compiled))
  const script = new Script(readFileSync(program, 'latin1'), { filename: program, cachedData })
  expect(script.cachedDataRejected).toBe(false)
})

it('loads the packages outside of the program: V8 keeps no import() in compiled code', () => {
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.cjs'))
  const program = readFileSync(join(folder, name), 'latin1')
  expect(program.match(/\bimport\("[^"]+"\)/g)).toBeNull()
  expect(program.match(/\b__import\("[^"]+"\)/g)).toContain('__import("@zxcvbn-ts/core")')
})

describe('the program starts where its compiled code', () => {
  let copy = ''
  let compiled = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'anteroom-compiled-'))
    cpSync(folder, join(copy, 'dist', 'main'), { recursive: true })
    cpSync(join(packageRoot, 'package.json'), join(copy, 'package.json'))
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith(ending()))
    compiled = join(copy, 'dist', 'main', name)
  })
  afterAll(() => rmSync(copy, { recursive: true }))

  const version = () => {
    // An earlier program kept its compiled code where this was set.
    const env = { ...process.env, ANTEROOM_KEEP_COMPILED_CODE: '1' }
    const started = spawnSync(process.execPath, [join(copy, 'dist', 'main', 'cli.js'), '--version'], { env })
    return [started.status, String(started.stdout), String(started.stderr)]
  }

  it('is in use, and the stacks of its errors name the sources and their lines', () => {
    rmSync(join(copy, 'package.json'))
    const [status, , said] = version()
    cpSync(join(packageRoot, 'package.json'), join(copy, 'package.json'))
    const source = readFileSync(join(packageRoot, 'src', 'platform', 'package-root.ts'), 'utf8').split('\n')
    const line = source.findIndex((text) => text.includes("packageFile('package.json')")) + 1
    expect(status).toBe(1)
    expect(said).toContain(`at programVersion (src/platform/package-root.ts:${line}:`)
    expect(said).not.toContain('.cjs:')
  })

  it.each([
    ['is another text', () => writeFileSync(compiled, 'compiled')],
    ['ends early', () => writeFileSync(compiled, readFileSync(join(folder, basename(compiled))).subarray(0, 1000))],
    ['is missing', () => rmSync(compiled)],
  ])('%s', (_, damage) => {
    damage()
    const files = readdirSync(dirname(compiled))
    expect(version()).toEqual([0, `${programVersion()}\n`, ''])
    expect(readdirSync(dirname(compiled)), 'only the build writes').toEqual(files)
  })
})
