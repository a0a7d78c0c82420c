// The plans of the statements that the service sends: the app runs in this process with a database that records them.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../src/deps.ts'
import { buildApp } from '../src/main/app.ts'
import type { Database, Statement } from '../src/platform/database/database.ts'

interface Sent {
  text: string
  values: unknown[]
}

/** The tables that grow with an organization. */
const BIG = /^(patient|coverage|appointment|timeline_event|eligibility_check)(_history)?$/
/** Reading more rows than this from one table for one page is effectively a scan. */
const MANY_ROWS = 50_000

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

/** The app, and the statements of one request. */
export function openPlans(deps: Deps): {
  plansOf(request: { url: string; token: string }): Promise<string[]>
  close(): Promise<void>
} {
  const sent: Sent[] = []
  const app = buildApp({ ...deps, database: recording(deps.database, sent) })
  return {
    async plansOf(request) {
      sent.length = 0
      await ask(app, request)
      const lines: string[] = []
      for (const statement of [...sent]) lines.push(...(await explain(deps.database, statement)))
      return lines
    },
    close: () => app.close(),
  }
}

async function ask(app: FastifyInstance, { url, token }: { url: string; token: string }): Promise<void> {
  const { statusCode, body } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body.slice(0, 300)}`)
}

function recording(database: Database, sent: Sent[]): Database {
  const note = (statement: Statement | string, values: unknown[] = []) => {
    sent.push({ text: typeof statement === 'string' ? statement : statement.text, values })
  }
  return {
    rows(statement, values) {
      note(statement, values)
      return database.rows(statement, values)
    },
    row(statement, values) {
      note(statement, values)
      return database.row(statement, values)
    },
    rowByKey(statement, values) {
      note(statement, values)
      return database.rowByKey(statement, values)
    },
    rowsByKey(statement, values) {
      note(statement, values)
      return database.rowsByKey(statement, values)
    },
    transaction: (work) => database.transaction((transaction) => work(recording(transaction, sent))),
  }
}

/** One line for each node that reads a table; defects are marked. */
async function explain(database: Database, { text, values }: Sent): Promise<string[]> {
  if (!/^\s*(select|with)/.test(text)) return []
  const row = await database.row(`explain (analyze, timing off, format json) ${text}`, values)
  const [plan] = JSON.parse(row?.[0] ?? '[]') as { Plan: Node; 'Execution Time': number }[]
  return plan ? [`  ${plan['Execution Time'].toFixed(1)} ms`, ...readers(plan.Plan)] : []
}

function readers(node: Node): string[] {
  const own: string[] = []
  const [table, index] = [node['Relation Name'], node['Index Name']]
  if (table || index) {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const rows = (node['Actual Rows'] + removed) * node['Actual Loops']
    const isScan = node['Node Type'].endsWith('Seq Scan') && BIG.test(table ?? '')
    const defect = isScan
      ? '   <-- SEQUENTIAL SCAN'
      : rows > MANY_ROWS && BIG.test(table ?? '')
        ? '   <-- MANY ROWS'
        : ''
    own.push(
      `    ${node['Node Type']} ${[table, index].filter(Boolean).join(' by ')}: ${Math.round(rows)} rows${defect}`,
    )
  }
  return [...own, ...(node.Plans ?? []).flatMap(readers)]
}
