// The Chromium that an npm package carries, unpacked once into node_modules.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageFile } from '../../src/platform/package-root.ts'

const { version } = JSON.parse(
  readFileSync(packageFile('node_modules', '@sparticuz', 'chromium', 'package.json'), 'utf8'),
)
const folder = packageFile('node_modules', `.chromium-${version}`)

const UNPACK = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"

/**
 * How to launch it, with the libraries and fonts that a machine without a desktop lacks. The package takes a file that another process is still
 * writing for a whole browser, so it unpacks into a folder of its own, which is renamed when it is complete. Of processes that unpack at once,
 * the first one's folder is kept.
 */
export async function placeCarriedBrowser(): Promise<{ executablePath: string; env: NodeJS.ProcessEnv }> {
  if (!existsSync(folder)) await unpack()
  const env = { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  return { executablePath: join(folder, 'chromium'), env: { ...process.env, ...env } }
}

async function unpack(): Promise<void> {
  const unfinished = await mkdtemp(`${folder}-`)
  // The package unpacks into the folder for temporary files, and its libraries only for this function runtime.
  const env = { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd: packageFile('.'), env })
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
}
