// The form in which a statement also runs on Citus, where the rows of an organization are on one of several servers: the rules that its
// planner has for statements on distributed tables. decisions/0076-statements-that-citus-runs.md
import type { Database } from '../../src/platform/database/database.ts'
import { nodesIn, type Tree, type TreeNode, walk } from './query-tree.ts'

/** What the rules need to know of the schema. */
export interface Catalog {
  /** The oids of the tables with an organization, and of the organizations themselves. */
  organized: Set<string>
  /** By its oid: the name of each distributed table, and the number of the column of its organization. */
  distributed: Map<string, { name: string; column: string }>
  /** By the oid of a function: its name and whether it is immutable (`i`), stable (`s`) or volatile (`v`). */
  functions: Map<string, { name: string; volatility: string }>
  /** By the oid of a type: the functions of its text form. */
  textFunctions: Map<string, { input: string; output: string }>
}

/**
 * A table is distributed if all its unique indexes have the organization. Tables with an organization that are not, and those which they
 * refer to, are the same on all servers.
 */
export async function readCatalog(database: Database): Promise<Catalog> {
  const tables = await database.rows(
    `select c.oid, c.relname, a.attnum, not exists (
        select from pg_index i where i.indisunique and not a.attnum = any(i.indkey) and (i.indrelid = c.oid or i.indrelid in (
          select f.conrelid from pg_constraint f where f.confrelid = c.oid and f.contype = 'f')))
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped`,
  )
  const organizations = await database.rows(`select 'public.organization'::regclass::oid`)
  const functions = await database.rows('select oid, proname, provolatile from pg_proc')
  const types = await database.rows('select oid, typinput::oid, typoutput::oid from pg_type')
  const known = tables.map(([oid = '', name = '', column = '', isDistributed]) => ({
    oid,
    name,
    column,
    isDistributed,
  }))
  return {
    organized: new Set([...known.map(({ oid }) => oid), organizations[0]?.[0] ?? '']),
    distributed: new Map(
      known.flatMap(({ oid, isDistributed, ...table }) => (isDistributed === 't' ? [[oid, table] as const] : [])),
    ),
    functions: new Map(functions.map(([oid = '', name = '', volatility = '']) => [oid, { name, volatility }])),
    textFunctions: new Map(types.map(([oid = '', input = '', output = '']) => [oid, { input, output }])),
  }
}

interface Offense {
  /** `organization`: it may reach the rows of other organizations, or look for one's rows on all servers. */
  rule: 'organization' | 'returning' | 'change' | 'conflict' | 'subscript' | 'copy' | 'names' | 'columns'
  detail: string
}

const RELATION = '0'
const SUBQUERY = '1'
const SELECT = '1'
const UPDATE = '2'
const INSERT = '3'
const DELETE = '4'
const CHANGES = [UPDATE, INSERT, DELETE]

/** A query within those around it, the innermost first. */
type Scope = readonly [TreeNode, ...TreeNode[]]

/** Every offense of a statement; none if Citus runs it on the server of $1. */
export function offensesOf(trees: readonly TreeNode[], catalog: Catalog): Offense[] {
  return trees
    .flatMap((tree) => scopesIn(tree, []))
    .flatMap((scope) => [
      ...tableOffenses(scope, catalog),
      ...changeOffenses(scope[0], catalog),
      ...nameOffenses(scope[0]),
    ])
}

function scopesIn(tree: Tree, outer: readonly TreeNode[]): Scope[] {
  return nodesIn(tree).flatMap((node) => {
    const isQuery = node.node === 'QUERY'
    const scope = [...(isQuery ? [node] : []), ...outer]
    return [
      ...(isQuery ? [scope as unknown as Scope] : []),
      ...Object.values(node).flatMap((each) => scopesIn(each, scope)),
    ]
  })
}

/** Each table with an organization has `organization_id = $1`, itself and not through another table. */
function tableOffenses(scope: Scope, { distributed }: Catalog): Offense[] {
  const [query] = scope
  const pinned = pinnedIn(query)
  const isExcluded = (number: string) => nodesIn(query.onConflict).some(({ exclRelIndex }) => exclRelIndex === number)
  return nodesIn(query.rtable).flatMap((entry, index) => {
    const table = entry.rtekind === RELATION ? distributed.get(String(entry.relid)) : undefined
    const number = String(index + 1)
    if (!table || isExcluded(number)) return []
    const isTarget = query.commandType === INSERT && query.resultRelation === number
    const isPinned = isTarget ? isInsertedFor(scope, table.column) : pinned.has(`${number}.${table.column}`)
    if (isPinned) return []
    const isBare = query.commandType === SELECT && nodesIn(query.targetList).length === 0
    return [
      { rule: 'organization', detail: isTarget ? `insert into ${table.name}` : table.name },
      // Citus reads the rows of all servers into a table that it declares with the columns of the query.
      ...(isBare ? [{ rule: 'columns', detail: `none of ${table.name}` } as const] : []),
    ]
  })
}

/** Citus writes a common table expression as a subquery with the names that its own columns have, whatever a list renames them to. */
function nameOffenses(query: TreeNode): Offense[] {
  const renamed = nodesIn(query.cteList).filter(({ aliascolnames }) => aliascolnames !== '<>')
  return renamed.flatMap(({ ctename, ctequery }) => {
    const names = nodesIn(ctequery).flatMap(({ targetList }) => nodesIn(targetList).map(({ resname }) => resname))
    return new Set(names).size === names.length
      ? []
      : [{ rule: 'names', detail: `two columns of one name in ${ctename}` }]
  })
}

/** The columns, as `table.column` in the numbers of the query, that a condition of the query compares with $1. */
function pinnedIn(query: TreeNode): Set<string> {
  const isCondition = ({ node, boolop }: TreeNode) =>
    node === 'FROMEXPR' || node === 'JOINEXPR' || (node === 'BOOLEXPR' && boolop === 'and')
  const compared = [...walk(query.jointree, isCondition)]
    .filter(({ node }) => node === 'OPEXPR')
    .map(({ args }) => nodesIn(args))
  return new Set(
    compared
      .flatMap(([one, other]) => [
        [one, other],
        [other, one],
      ])
      .filter(([column, value]) => column?.node === 'VAR' && column.varlevelsup === '0' && isOrganization(value))
      .map(([column]) => `${column?.varno}.${column?.varattno}`),
  )
}

const isOrganization = (node: TreeNode | undefined) => node?.node === 'PARAM' && node.paramid === '1'

const targetOf = (list: Tree | undefined, number: string) =>
  nodesIn(nodesIn(list).find(({ resno }) => resno === number)?.expr)[0]

const isInsertedFor = (scope: Scope, column: string) => isTraced(targetOf(scope[0].targetList, column), scope)

/** Follows a value through subqueries and common table expressions to $1. */
function isTraced(value: TreeNode | undefined, scope: Scope): boolean {
  if (isOrganization(value)) return true
  const [query] = scope
  const entry = value?.node === 'VAR' ? nodesIn(query.rtable)[Number(value.varno) - 1] : undefined
  if (!value || !entry) return false
  if (entry.rtekind === RELATION)
    return query.commandType === INSERT
      ? isInsertedFor(scope, String(value.varattno))
      : pinnedIn(query).has(`${value.varno}.${value.varattno}`)
  const source = sourceOf(entry, scope)
  if (!source) return false
  const [{ returningList, targetList }] = source
  return isTraced(
    targetOf(nodesIn(returningList).length > 0 ? returningList : targetList, String(value.varattno)),
    source,
  )
}

/** The query behind an entry of a range table. */
function sourceOf(entry: TreeNode, scope: Scope): Scope | undefined {
  const owners = entry.rtekind === SUBQUERY ? scope : scope.slice(Number(entry.ctelevelsup))
  const [query] = entry.rtekind === SUBQUERY ? nodesIn(entry.subquery) : commonTable(entry, owners[0])
  return query && [query, ...owners]
}

const commonTable = ({ ctename }: TreeNode, owner: TreeNode | undefined) =>
  nodesIn(nodesIn(owner?.cteList).find((each) => each.ctename === ctename)?.ctequery)

/** What the server of an organization would evaluate for each row must be the same on each server. */
function changeOffenses(query: TreeNode, catalog: Catalog): Offense[] {
  const target = nodesIn(query.rtable)[Number(query.resultRelation) - 1]
  if (!CHANGES.includes(String(query.commandType)) || !catalog.organized.has(String(target?.relid))) return []
  const offenses: Offense[] = mutableIn(query.returningList, catalog).map(({ name }) => ({
    rule: 'returning',
    detail: name,
  }))
  const [conflict] = nodesIn(query.onConflict)
  const onConflict = [conflict?.onConflictSet ?? '', conflict?.onConflictWhere ?? '']
  for (const { name } of mutableIn(onConflict, catalog)) offenses.push({ rule: 'conflict', detail: name })
  if ([...walk(onConflict)].some(({ node }) => node === 'SUBLINK'))
    offenses.push({ rule: 'conflict', detail: 'a subquery' })
  if (query.commandType === INSERT) return [...offenses, ...copyOffenses(query)]
  const changed: Tree[] = [query.targetList ?? '', ...nodesIn(query.jointree).map(({ quals }) => quals ?? '')]
  for (const each of walk(changed, ({ node }) => node !== 'QUERY')) {
    const mutable = ownMutable(each, catalog)
    if (mutable?.volatility === 'v') offenses.push({ rule: 'change', detail: `${mutable.name}()` })
    else if (mutable && hasColumn(each)) offenses.push({ rule: 'change', detail: `${mutable.name}() of a column` })
    if (['CASEEXPR', 'COALESCEEXPR', 'CASE', 'COALESCE'].includes(each.node))
      for (const { name } of mutableIn(Object.values(each), catalog))
        offenses.push({ rule: 'change', detail: `${name}() within ${each.node.replace(/EXPR$/, '')}` })
  }
  for (const each of walk(query.targetList))
    if (each.node === 'SUBSCRIPTINGREF' && nodesIn(each.refexpr)[0]?.node === 'PARAM')
      offenses.push({ rule: 'subscript', detail: 'an element of a parameter' })
  return offenses
}

/** Rows of a query enter a worker by COPY, which row-level security refuses; with RETURNING or ON CONFLICT they enter by INSERT. */
function copyOffenses(query: TreeNode): Offense[] {
  const selects = nodesIn(query.rtable).some(({ rtekind }) => rtekind === SUBQUERY)
  const isInserted = nodesIn(query.returningList).length > 0 || nodesIn(query.onConflict).length > 0
  return selects && !isInserted ? [{ rule: 'copy', detail: 'insert … select without returning' }] : []
}

const hasColumn = (node: TreeNode) => [...walk(Object.values(node))].some((each) => each.node === 'VAR')

const mutableIn = (tree: Tree | undefined, catalog: Catalog) =>
  [...walk(tree)].flatMap((node) => ownMutable(node, catalog) ?? [])

/** The function of a node itself, if it is not immutable. */
function ownMutable(
  node: TreeNode,
  { functions, textFunctions }: Catalog,
): { name: string; volatility: string } | undefined {
  const ids = [node.funcid, node.opfuncid, node.aggfnoid, node.winfnoid].map(String)
  if (node.node === 'COERCEVIAIO') {
    const [argument] = nodesIn(node.arg)
    const type =
      argument && ['vartype', 'paramtype', 'consttype', 'funcresulttype', 'opresulttype'].map((name) => argument[name])
    ids.push(textFunctions.get(String(node.resulttype))?.input ?? '')
    for (const each of type ?? []) ids.push(textFunctions.get(String(each))?.output ?? '')
  }
  if (node.node === 'SQLVALUEFUNCTION') return { name: 'a value of the session', volatility: 's' }
  if (node.node === 'NEXTVALUEEXPR') return { name: 'nextval', volatility: 'v' }
  return ids.flatMap((id) => functions.get(id) ?? []).find(({ volatility }) => volatility !== 'i')
}
