// `node bench/as-built.js <file>`: runs a benchmark that calls the program's code itself, compiled as the program is (scripts/build.js). `tsx` adds a call to every function that
// is created, by which answers took up to 40 % longer to read, and more with each release. Other packages stay as they are installed.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildScript, bundled } from '../scripts/build.js'

const root = join(buildScript, '..', '..')
const [file = ''] = process.argv.slice(2)
// Within the folder, so that packages are found.
const outfile = join(root, 'node_modules', '.cache', 'bench', 'as-built.mjs')
await build({ ...bundled, packages: 'external', entryPoints: [join(root, file)], outfile })
await import(pathToFileURL(outfile).href)
