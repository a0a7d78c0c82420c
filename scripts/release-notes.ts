// What users will notice since an earlier release, made of the files that were added to changes/ since then: `npm run release-notes -- <tag or commit>`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { packageFile } from '../src/platform/package-root.ts'

/** The kinds of changes, in the order in which an operator needs to know them. */
const HEADINGS = {
  security: 'Security',
  removed: 'Removed',
  changed: 'Changed',
  added: 'Added',
  fixed: 'Fixed',
} as const

interface Change {
  kind: keyof typeof HEADINGS
  text: string
}

/** @throws Error that names the file and what it must contain. */
export function readChange(name: string): Change {
  if (!/^\d{4}-[a-z0-9-]+\.yaml$/.test(name)) throw new Error(`changes/${name} must be named <number>-<words>.yaml`)
  const change = parseYaml(readFileSync(packageFile('changes', name), 'utf8')) as Partial<Change>
  const { kind, text, ...rest } = change
  if (!kind || !Object.hasOwn(HEADINGS, kind) || typeof text !== 'string' || text.trim() === '')
    throw new Error(`changes/${name} needs a text, and a kind: ${Object.keys(HEADINGS).join(', ')}`)
  if (Object.keys(rest).length > 0) throw new Error(`changes/${name} has more than a kind and a text`)
  return { kind, text: text.trim().replaceAll(/\s*\n\s*/g, ' ') }
}

/** The notes in Markdown; each change has its number. */
export function releaseNotes(names: readonly string[]): string {
  const changes = names.map((name) => ({ number: name.slice(0, 4), ...readChange(name) }))
  const parts = Object.entries(HEADINGS).flatMap(([kind, heading]) => {
    const lines = changes.filter((each) => each.kind === kind).map(({ number, text }) => `- ${text} (${number})`)
    return lines.length > 0 ? [`## ${heading}\n\n${lines.join('\n')}\n`] : []
  })
  return parts.join('\n')
}

/** The files that were added since; undefined for a revision that git, which says so, does not know. */
function addedSince(revision: string): string[] | undefined {
  const { status, stdout } = spawnSync(
    'git',
    ['diff', '--name-only', '--diff-filter=A', '--end-of-options', `${revision}..HEAD`, '--', 'changes'],
    { cwd: packageFile(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  if (status !== 0) return undefined
  return stdout.split('\n').flatMap((path) => (path === '' ? [] : [path.slice('changes/'.length)]))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , revision = ''] = process.argv
  const names = revision === '' ? undefined : addedSince(revision)
  if (names === undefined) {
    console.error('usage: npm run release-notes -- <tag or commit of the earlier release>')
    process.exitCode = 2
  } else process.stdout.write(releaseNotes(names))
}
