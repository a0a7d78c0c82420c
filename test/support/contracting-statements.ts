// Finds the statements of a migration that remove something a program of an earlier release needs while it still serves. A migration may
// add; a later one drops what was replaced, when no supported release uses it. decisions/0063-upgrades.md
import type { AlterTableCmd, Constraint, DropStmt, IndexStmt, Node, RenameStmt } from '@pgsql/types'
import { parse } from 'libpg-query'

/** The effect on a program of an earlier release, for a table that the migration itself does not create. */
const COMMANDS: Record<string, string> = {
  AT_DropColumn: 'drops a column',
  AT_AlterColumnType: 'changes the type of a column',
  AT_SetNotNull: 'makes a column required',
  AT_DropConstraint: 'drops a constraint',
  AT_AddConstraint: 'adds a constraint',
}

const DROPPED: Record<string, string> = {
  OBJECT_TABLE: 'drops a table',
  OBJECT_VIEW: 'drops a view',
  OBJECT_FUNCTION: 'drops a function',
  OBJECT_TRIGGER: 'drops a trigger',
  OBJECT_TYPE: 'drops a type',
  OBJECT_SCHEMA: 'drops a schema',
  OBJECT_SEQUENCE: 'drops a sequence',
  OBJECT_INDEX: 'drops a unique index',
}

/** SQL that is built at run time is not parsed, so it must not look like a removal. */
const DYNAMIC = /\b(drop|rename|set\s+not\s+null|alter\s+column)\b/i

/** @param earlier the previous migrations, whose unique indexes must stay. */
export async function contractingStatements(sql: string, earlier: string[] = []): Promise<string[]> {
  const statements = await statementsOf(sql)
  const made = new Set(statements.flatMap((each) => ('CreateStmt' in each ? [each.CreateStmt.relation?.relname] : [])))
  const unique = new Set<string | undefined>()
  for (const text of earlier) for (const name of (await statementsOf(text)).map(uniqueIndexOf)) unique.add(name)
  return statements.flatMap((each) => faultsOf(each, made, unique))
}

async function statementsOf(sql: string): Promise<Node[]> {
  const { stmts = [] } = await parse(sql)
  return stmts.flatMap(({ stmt }) => (stmt ? [stmt] : []))
}

function faultsOf(each: Node, made: Set<string | undefined>, unique: Set<string | undefined>): string[] {
  if ('AlterTableStmt' in each) {
    const { relation, cmds = [] } = each.AlterTableStmt
    if (made.has(relation?.relname)) return []
    return cmds.flatMap((cmd) => ('AlterTableCmd' in cmd ? commandFault(cmd.AlterTableCmd, relation?.relname) : []))
  }
  if ('DropStmt' in each) return dropFaults(each.DropStmt, unique)
  if ('RenameStmt' in each) return renameFault(each.RenameStmt)
  if ('IndexStmt' in each) return indexFault(each.IndexStmt, made)
  if ('DoStmt' in each) return DYNAMIC.test(JSON.stringify(each.DoStmt)) ? ['may remove something in a DO block'] : []
  return []
}

function commandFault({ subtype = 'AT_AddColumn', name, def }: AlterTableCmd, table = ''): string[] {
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) {
    const kinds = (def.ColumnDef.constraints ?? []).map((each) => ('Constraint' in each ? each.Constraint.contype : ''))
    const isFilled = kinds.some(
      (kind) => kind === 'CONSTR_DEFAULT' || kind === 'CONSTR_GENERATED' || kind === 'CONSTR_IDENTITY',
    )
    return kinds.includes('CONSTR_NOTNULL') && !isFilled
      ? [`adds a required column: ${table}.${def.ColumnDef.colname}`]
      : []
  }
  if (subtype === 'AT_ColumnDefault') return def ? [] : [`drops a default: ${table}.${name}`]
  const fault = COMMANDS[subtype]
  const constraint: Constraint | undefined = def && 'Constraint' in def ? def.Constraint : undefined
  return fault === undefined ? [] : [`${fault}: ${table}.${name ?? constraint?.conname}`]
}

function dropFaults(
  { removeType = 'OBJECT_TABLE', objects = [] }: DropStmt,
  unique: Set<string | undefined>,
): string[] {
  const fault = DROPPED[removeType]
  if (fault === undefined) return []
  const names = objects.map((each) => [...JSON.stringify(each).matchAll(/"sval":"([^"]+)"/g)].map(([, part]) => part))
  return (
    names
      // The views of row-level security are created again after each migration.
      .filter(([schema]) => removeType !== 'OBJECT_VIEW' || schema !== 'walled')
      .filter((parts) => removeType !== 'OBJECT_INDEX' || unique.has(parts.at(-1)))
      .map((parts) => `${fault}: ${parts.join('.')}`)
  )
}

function renameFault({ renameType, relation, subname, newname }: RenameStmt): string[] {
  return renameType === 'OBJECT_INDEX'
    ? []
    : [`renames: ${[relation?.relname, subname].filter(Boolean).join('.')} to ${newname}`]
}

const uniqueIndexOf = (each: Node) =>
  'IndexStmt' in each && each.IndexStmt.unique ? each.IndexStmt.idxname : undefined

function indexFault({ unique, idxname, relation }: IndexStmt, made: Set<string | undefined>): string[] {
  return unique && !made.has(relation?.relname) ? [`makes values unique: ${idxname}`] : []
}
