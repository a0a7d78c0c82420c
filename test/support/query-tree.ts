// A statement as PostgreSQL understood it, with every table, column, function and operator resolved: the stored form of the body of a
// function in SQL.
import type { Database } from '../../src/platform/database/database.ts'

export type Tree = string | Tree[] | TreeNode
/** `node` is the kind, such as QUERY or FUNCEXPR. */
export interface TreeNode {
  node: string
  [field: string]: Tree
}

/** The trees of a statement, which is not run; undefined when it is no statement on rows. */
export async function queryTreesOf(transaction: Database, text: string): Promise<TreeNode[] | undefined> {
  if (!/^\s*(?:select|insert|update|delete|with)\b/.test(text)) return undefined
  await transaction.rows(`prepare analyzed as ${text}`)
  const [types] =
    (await transaction.row(
      `select array_to_string(parameter_types, ',') from pg_prepared_statements where name = 'analyzed'`,
    )) ?? []
  await transaction.rows('deallocate analyzed')
  await transaction.rows(`create function pg_temp.analyzed(${types}) returns void begin atomic ${text}; end`)
  const [body = ''] =
    (await transaction.row(`select prosqlbody::text from pg_proc where oid = 'pg_temp.analyzed'::regproc`)) ?? []
  await transaction.rows(`drop function pg_temp.analyzed`)
  return nodesIn(parseTree(body)).filter(({ node }) => node === 'QUERY')
}

/** The nodes at the top of a tree. */
export function nodesIn(tree: Tree | undefined): TreeNode[] {
  if (tree === undefined || typeof tree === 'string') return []
  return Array.isArray(tree) ? tree.flatMap(nodesIn) : [tree]
}

/** Every node of a tree, from the top; `enter` may leave out what is below one. */
export function* walk(tree: Tree | undefined, enter: (node: TreeNode) => boolean = () => true): Generator<TreeNode> {
  for (const each of nodesIn(tree)) {
    yield each
    if (enter(each)) yield* walk(Object.values(each), enter)
  }
}

/** Source: PostgreSQL, src/backend/nodes/read.c. */
function parseTree(text: string): Tree {
  const tokens = text.match(/[(){}]|(?:\\.|"(?:\\.|[^"\\])*"|[^\s(){}\\"])+/g) ?? []
  let at = 0
  const isField = (token: string | undefined) => token?.startsWith(':') === true
  function one(): Tree {
    const token = tokens[at++] ?? ''
    if (token === '(') return listOf(')')
    if (token === '{') return node()
    return token
  }
  function listOf(end: string): Tree[] {
    const items: Tree[] = []
    while (at < tokens.length && tokens[at] !== end) items.push(one())
    at++
    return items
  }
  function node(): TreeNode {
    const made: TreeNode = { node: tokens[at++] ?? '' }
    while (at < tokens.length && tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1)
      const values: Tree[] = []
      while (tokens[at] !== '}' && !isField(tokens[at])) values.push(one())
      made[name] = values.length === 1 ? (values[0] ?? '') : values
    }
    at++
    return made
  }
  return one()
}
