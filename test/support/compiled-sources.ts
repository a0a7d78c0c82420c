// The sources as JavaScript that Node imports by itself, for the tests. decisions/0166-tests-import-compiled-sources.md
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, stop } from 'esbuild'
import type { Plugin } from 'vitest/config'
import { bundled } from '../../scripts/build.js'
import { packageFile } from '../../src/platform/package-root.ts'

const FOLDERS = ['src', 'test', 'bench', 'scripts']
const shelf = packageFile('node_modules', '.cache', 'anteroom', 'compiled-sources')
const manifest = join(shelf, 'manifest.json')

/** The published client, and what tests use of it. As 3,700 files it takes a worker three times as long to load as in one. */
const CLIENT = 'candidhealth'
const USED_OF_CLIENT = 'CandidApi, CandidApiClient, CandidApiEnvironment'
const clientInOneFile = join(shelf, `${CLIENT}-${digestOfClient()}.mjs`)

/** By the path of a source in the package, the digest of what its compiled file was made from. */
type Digests = Record<string, string>

/**
 * Compiles what has changed, and lets tests import the compiled files in place of their sources. In watch mode Vitest has to know what a test
 * imports, so there it compiles the sources itself.
 */
export async function compiledSources(): Promise<Plugin> {
  const sources = await compile()
  if (!existsSync(clientInOneFile)) await placeClient()
  await stop()
  let isWatching = false
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    configureVitest({ vitest }) {
      isWatching = vitest.config.watch
    },
    resolveId(specifier, importer) {
      if (isWatching || importer === undefined) return undefined
      if (specifier === CLIENT) return clientInOneFile
      if (!specifier.startsWith('.')) return undefined
      const path = resolve(dirname(importer), specifier)
      // Also where a test has linked to them from a folder of its own.
      const name = existsSync(path) ? relative(packageFile(), realpathSync(path)) : ''
      return name in sources ? compiledFile(name) : undefined
    },
  }
}

const compiledFile = (name: string) => join(shelf, name.replace(/\.ts$/, '.mjs'))

async function compile(): Promise<Digests> {
  const before: Digests = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
  const now = digestsOfSources()
  const changed = Object.keys(now).filter((name) => now[name] !== before[name] || !existsSync(compiledFile(name)))
  for (const name of Object.keys(before)) if (!(name in now)) rmSync(compiledFile(name), { force: true })
  if (changed.length === 0) return now
  await compileFiles(changed, now)
  write(manifest, JSON.stringify(now))
  return now
}

function read(name: string): string {
  return readFileSync(packageFile(name), 'utf8')
}

function digestOfClient(): string {
  const how = ['package-lock.json', 'test/support/compiled-sources.ts'].map(read)
  return createHash('sha256').update(how.join('\n')).digest('hex').slice(0, 16)
}

/** The published client with the packages that it uses, unchanged. */
async function placeClient(): Promise<void> {
  const { format, platform, target, banner } = bundled
  const { outputFiles } = await build({
    ...{ format, platform, target, banner },
    stdin: { contents: `export { ${USED_OF_CLIENT} } from '${CLIENT}'`, resolveDir: packageFile() },
    bundle: true,
    write: false,
  })
  write(clientInOneFile, outputFiles[0]?.text ?? '')
}

function digestsOfSources(): Digests {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const sources = names.filter((name) => name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(name))
  // How they are compiled, and where from: node_modules may be a copy of another checkout's.
  const how = [packageFile(), ...['package-lock.json', 'tsconfig.json', 'test/support/compiled-sources.ts'].map(read)]
  const common = createHash('sha256').update(how.join('\n')).digest()
  const digest = (name: string) => createHash('sha256').update(common).update(read(name)).digest('hex').slice(0, 16)
  return Object.fromEntries(sources.map((name) => [name, digest(name)]))
}

async function compileFiles(names: string[], sources: Digests): Promise<void> {
  const { target, supported, platform, format } = bundled
  const { outputFiles } = await build({
    ...{ target, supported, platform, format },
    entryPoints: names.map((name) => packageFile(name)),
    outbase: packageFile(),
    outdir: shelf,
    outExtension: { '.js': '.mjs' },
    sourcemap: 'linked',
    sourcesContent: false,
    write: false,
  })
  for (const { path, text } of outputFiles) {
    const name = relative(shelf, path).replace(/\.mjs$/, '.ts')
    write(path, path.endsWith('.map') ? text : located(text, name, sources))
  }
}

/** The compiled text of a source as it is in its new place: it imports compiled files, and finds all others where it found them before. */
function located(text: string, name: string, sources: Digests): string {
  const here = packageFile(name)
  return text
    .replaceAll(/(\bfrom |\bimport |\bimport\()"(\.[^"\n]+)"/g, (_, lead: string, specifier: string) => {
      const imported = resolve(dirname(here), specifier)
      if (relative(packageFile(), imported) in sources) return `${lead}"${specifier.replace(/\.ts$/, '.mjs')}"`
      return lead + JSON.stringify(pathToFileURL(imported).href)
    })
    .replaceAll(`from "${CLIENT}"`, `from ${JSON.stringify(pathToFileURL(clientInOneFile).href)}`)
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(here).href))
}

/** Whole or not at all; a file that another checkout shares is left to it. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
}
