// Earlier releases of this program, taken from the repository's history: one for each set of migrations of a database.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { packageRoot } from './started-server.ts'

export interface EarlierRelease {
  /** The last migration of its database, which the previous level lacks. */
  level: string
  commit: string
  /**
   * Required libraries that are no longer installed, without which it cannot be started. A library that only earlier releases need stays
   * a development dependency, such as env-schema.
   */
  missing: string[]
}

/** Node's arguments before the command, and how the unpacked sources are removed. */
interface UnpackedRelease {
  program: string[]
  remove(): Promise<void>
}

/**
 * The last program of each level, oldest first. A level counts if this release can migrate its database: all of its migrations
 * still exist unchanged. The current level is excluded, and so is what precedes the last `levels`. Undefined without history: a package, or a
 * shallow clone.
 */
export function earlierReleases(levels: number): EarlierRelease[] | undefined {
  const log = git(['log', '--first-parent', '--format=%H', '--', 'migrations'])
  if (log === undefined || git(['rev-parse', '--is-shallow-repository']) !== 'false') return undefined
  const commits = log.split('\n')
  const own = migrationsOf('HEAD')
  const releases: EarlierRelease[] = []
  for (const [index, commit] of commits.entries()) {
    if (releases.length === levels) break
    const theirs = migrationsOf(commit)
    const before = index + 1 < commits.length ? migrationsOf(commits[index + 1] as string) : new Set<string>()
    const level = [...theirs].filter((each) => !before.has(each)).at(-1)
    const isKnown = [...theirs].every((each) => own.has(each))
    // The commit before the next level: the last one with these migrations.
    const last = index === 0 ? 'HEAD' : git(['rev-parse', `${commits[index - 1]}^1`])
    if (level && last && isKnown && theirs.size < own.size)
      releases.unshift({ level: nameOf(level), commit: last, missing: missingIn(last) })
  }
  return releases
}

/** Its sources in a separate folder, bundled into one file that uses the installed libraries. */
export async function unpackRelease({ commit }: EarlierRelease): Promise<UnpackedRelease> {
  const folder = await mkdtemp('/tmp/anteroom-release-')
  const archive = spawnSync('git', ['archive', '--format=tar', commit], { cwd: packageRoot, maxBuffer: 2 ** 30 })
  spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout })
  await symlink(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
  const entry = ['src/main/cli.ts', 'src/cli.ts'].map((path) => join(folder, path)).find((path) => existsSync(path))
  if (entry === undefined) throw new Error(`no sources of ${commit}`)
  // Beside src/, as each release's own build puts it: from there the program finds its migrations.
  const outfile = join(
    folder,
    entry
      .slice(folder.length)
      .replace(/^\/src\//, '/dist/')
      .replace(/\.ts$/, '.js'),
  )
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return { program: [outfile], remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Its migrations, each as its name and content. */
const migrationsOf = (commit: string) =>
  new Set(
    (git(['ls-tree', '--format=%(objectname) %(path)', `${commit}:migrations`]) ?? '').split('\n').filter(Boolean),
  )

function missingIn(commit: string): string[] {
  const { dependencies = {} } = JSON.parse(git(['show', `${commit}:package.json`]) ?? '{}')
  return Object.keys(dependencies).filter((name) => !existsSync(join(packageRoot, 'node_modules', name)))
}

const nameOf = (migration: string) => migration.split(' ')[1] ?? ''

function git(args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: packageRoot, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
