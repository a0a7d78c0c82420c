// test/acceptance/coverage.md: the operations that the published client called, and the declared errors that it received.
// Written after a run of all acceptance tests. An operation or a declared error that was not reached fails the run.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { packageFile } from '../../src/platform/package-root.ts'
import { type AcceptanceCall, type DescribedOperation, describedOperations, readCalls } from './acceptance-calls.ts'

const folder = packageFile('test', 'acceptance')
const table = packageFile('test', 'acceptance', 'coverage.md')

/** Declared errors that no call can cause, with the reason. */
const unreachable: Record<string, string> = {
  'diagnoses.delete ServiceLinesMustHaveAtLeastOneDiagnosisHTTPError': 'service lines are outside the interface',
}

export default class CoverageTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = modules.filter(({ moduleId }) => dirname(moduleId) === folder)
    const all = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
    // A partial or failed run does not show what all tests reach.
    if (ran.length < all.length || ran.some((module) => !module.ok())) return
    const calls = all.sort().map((name) => [basename(name, '.test.ts'), readCalls(name)] as const)
    const rows = describedOperations()
      .sort((a, b) => (a.operation < b.operation ? -1 : 1))
      .map((described) => rowOf(described, calls))
    const problems = rows.flatMap(({ missing }) => missing)
    const text = `${[...HEADING, ...rows.map(({ line }) => line)].join('\n')}\n`
    if (text !== readTable()) {
      writeFileSync(table, text)
      problems.push('test/acceptance/coverage.md was not up to date and has been written: commit it')
    }
    if (problems.length === 0) return
    process.exitCode = 1
    process.on('exit', () => process.stderr.write(`${problems.join('\n')}\n`))
  }
}

const HEADING = [
  '# Operations through the published client',
  '',
  'Written by the acceptance tests (test/support/coverage-table.ts). Do not edit.',
  '',
  '| Operation | Answered in | Declared errors reached |',
  '|---|---|---|',
]

function rowOf({ operation, declaredErrors }: DescribedOperation, files: (readonly [string, AcceptanceCall[]])[]) {
  const filesWith = (errorName?: string) =>
    files
      .filter(([, calls]) => calls.some((call) => call.operation === operation && call.errorName === errorName))
      .map(([name]) => name)
  const missing: string[] = []
  const answered = filesWith()
  if (answered.length === 0) missing.push(`no acceptance test has had an answer of ${operation}`)
  const errors = declaredErrors.map((name) => {
    const reason = unreachable[`${operation} ${name}`]
    if (filesWith(name).length > 0) return name
    if (reason) return `${name}: not reachable, ${reason}`
    missing.push(`no acceptance test has reached ${name} of ${operation}`)
    return `**${name}: not reached**`
  })
  return { line: `| ${operation} | ${answered.join(', ') || '**none**'} | ${errors.join(', ')} |`, missing }
}

function readTable(): string | undefined {
  try {
    return readFileSync(table, 'utf8')
  } catch {
    return undefined
  }
}
