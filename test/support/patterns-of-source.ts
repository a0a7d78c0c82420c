// All regular expressions of the source: those that it writes, and those that its modules put together while they are loaded.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, stop } from 'esbuild'
import { parseSync } from 'vite'
import { bundled } from '../../scripts/build.js'
import { packageFile } from '../../src/platform/package-root.ts'

export interface Pattern {
  source: string
  flags: string
  /** The file that writes it; of one that was put together only how long it is can be told. */
  file?: string
}

/** Not loaded: programs start when they are, and neither they nor the tools read what others send. */
const PROGRAMS = /^src\/(?:main|tools)\//

/** In the bundle, in place of the constructor. */
const RECORDING = `export const patterns = []
const recorded = (pattern) => { patterns.push({ source: pattern.source, flags: pattern.flags }); return pattern }
const RegExp = new Proxy(globalThis.RegExp, {
  construct: (target, values) => recorded(Reflect.construct(target, values)),
  apply: (target, self, values) => recorded(Reflect.apply(target, self, values)),
})`

/** Each once. */
export async function patternsOfSource(): Promise<Pattern[]> {
  const [own, ofConsole] = [sourcesOf('src'), sourcesOf(join('console', 'src'))]
  const all = [...[...own, ...ofConsole].flatMap(writtenIn), ...(await builtBy(own))]
  return [...new Map(all.toReversed().map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()]
}

function sourcesOf(folder: string): string[] {
  return readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|d)\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function writtenIn(file: string): Pattern[] {
  const found: Pattern[] = []
  const look = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      found.push({ source: pattern, flags, file })
    } else for (const child of Object.values(node)) look(child)
  }
  const text = readFileSync(packageFile(file), 'utf8')
  look(parseSync(file, text).program)
  return found
}

/** Modules are loaded again, in a bundle that records what they build. */
async function builtBy(files: string[]): Promise<Pattern[]> {
  const { target, supported, platform, format } = bundled
  const imports = files.filter((file) => !PROGRAMS.test(file)).map((file) => `import ${JSON.stringify(`./${file}`)}`)
  const { outputFiles } = await build({
    ...{ target, supported, platform, format, bundle: true, packages: 'external', write: false },
    stdin: { contents: imports.join('\n'), resolveDir: packageFile() },
    banner: { js: RECORDING },
  })
  await stop()
  const bundle = packageFile('node_modules', '.cache', 'anteroom', `patterns-${process.pid}.mjs`)
  mkdirSync(dirname(bundle), { recursive: true })
  writeFileSync(bundle, outputFiles[0]!.text)
  try {
    return (await import(pathToFileURL(bundle).href)).patterns
  } finally {
    rmSync(bundle)
  }
}
