// decisions/README.md: the decisions by subject, each with the later ones that continue it. All of it stands in the decisions themselves.
import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../src/platform/package-root.ts'

/** The subjects, in the order of the index. */
const SUBJECTS = [
  'structure, build and start',
  'records and the interface',
  'lists and search',
  'the database',
  'security and the audit trail',
  'load and faults',
  'inquiries and connectors',
  'what an answer means',
  'checks and verification',
  'the console and printing',
  'events and monitoring',
  'tests',
]

interface Decision {
  file: string
  number: string
  title: string
  subject: string
  /** The numbers of others that its first lines name. */
  related: string[]
}

export function describeDecisions(): string {
  const folder = packageFile('decisions')
  const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name))
  const decisions = files.sort().map((file) => readDecision(file, readFileSync(packageFile('decisions', file), 'utf8')))
  const groups = SUBJECTS.map((subject) => {
    const lines = decisions.filter((each) => each.subject === subject).map((each) => lineOf(each, decisions))
    return `## ${subject.charAt(0).toUpperCase()}${subject.slice(1)}\n\n${lines.join('\n')}`
  })
  return `${[HEADING, ...groups].join('\n\n')}\n`
}

/** @throws Error that names the file and the line that it lacks. */
function readDecision(file: string, text: string): Decision {
  const number = file.slice(0, 4)
  const [, title] = new RegExp(`^# ${number} (.+)\n`).exec(text) ?? []
  if (title === undefined) throw new Error(`decisions/${file} must begin with "# ${number} <title>"`)
  const [, subject = ''] = /^Subject: (.+)$/m.exec(text) ?? []
  if (!SUBJECTS.includes(subject))
    throw new Error(`decisions/${file} needs a line "Subject: " with one of: ${SUBJECTS.join('; ')}`)
  const status = /^Status: .*$/m.exec(text)?.[0] ?? ''
  return { file, number, title, subject, related: status.match(/\b0\d{3}\b/g) ?? [] }
}

function lineOf({ file, number, title }: Decision, all: readonly Decision[]): string {
  const later = all.filter((each) => each.number > number && each.related.includes(number))
  const links = [...new Set(later)].map((each) => `[${each.number}](${each.file})`)
  return `- [${number} ${title}](${file})${links.length > 0 ? `; continued in ${links.join(', ')}` : ''}`
}

const HEADING = `# Decisions by subject

<!-- Generated from the decisions by \`npm run generate\`. Do not edit. -->

Each decision states its context, what was decided, what was rejected, and the consequences. A later one may extend or amend an earlier
one: read those as well. A new decision has the next free number, a title that says what it is about, and a line \`Subject:\`.`
