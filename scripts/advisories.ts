// Asks the package registry whether a package that is installed for production has a known vulnerability: `npm run
// advisories`. Exit code 1 for one that is high or critical; a registry that does not answer is reported and is not a
// failure.
import { spawnSync } from 'node:child_process'

interface AuditReport {
  metadata?: { vulnerabilities?: Record<string, number> }
  vulnerabilities?: Record<string, { severity: string; range: string; fixAvailable: unknown }>
}

const SERIOUS = ['high', 'critical']
const ASK_LIMIT_MS = 60_000

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: ASK_LIMIT_MS })
const report = readReport(stdout)
if (!report?.metadata?.vulnerabilities) {
  console.log('The registry could not be asked for advisories: nothing is known either way.')
} else {
  const found = Object.entries(report.vulnerabilities ?? {})
  for (const [name, { severity, range, fixAvailable }] of found) {
    console.log(`${severity}: ${name} ${range}${fixAvailable ? ', a fix is there' : ''}`)
  }
  console.log(`${found.length} packages with a known vulnerability`)
  process.exitCode = found.some(([, { severity }]) => SERIOUS.includes(severity)) ? 1 : 0
}

function readReport(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return undefined
  }
}
