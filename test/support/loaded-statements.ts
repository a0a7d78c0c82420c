import { createServer, type Plugin } from 'vite'
import { packageFile } from '../../src/platform/package-root.ts'
import type { SourceText } from './source-statements.ts'

/**
 * What the texts of SQL in the source became when their modules were loaded: almost all statements are constants. Loads
 * every module of the service a second time, apart from those that tests use.
 */
export async function loadedStatements(texts: readonly SourceText[]): Promise<Set<string>> {
  const evaluated = new Set<string>()
  const note = (text: string) => {
    evaluated.add(text)
    return text
  }
  Object.assign(globalThis, { [NOTE]: note })
  const server = await createServer({
    root: packageFile('.'),
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins: [noteTexts(texts)],
  })
  try {
    for (const file of new Set(texts.map((text) => text.file))) await server.ssrLoadModule(packageFile(`src/${file}`))
  } finally {
    await server.close()
    Reflect.deleteProperty(globalThis, NOTE)
  }
  return evaluated
}

const NOTE = 'noteTextOfSql'

function noteTexts(texts: readonly SourceText[]): Plugin {
  return {
    name: 'note-texts-of-sql',
    enforce: 'pre',
    transform(code, id) {
      const own = texts.filter(({ file }) => packageFile(`src/${file}`) === id)
      const marks = own.flatMap(({ start, end }) => [
        { at: start, mark: `${NOTE}(` },
        { at: end, mark: ')' },
      ])
      // From the end, so that the positions before it stay right; an inner text ends before the outer one does.
      return marks
        .sort((a, b) => b.at - a.at)
        .reduce((text, { at, mark }) => text.slice(0, at) + mark + text.slice(at), code)
    },
  }
}
