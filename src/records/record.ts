import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Actor } from '../contract/actor.ts'
import type { WireError } from '../contract/errors.ts'
import type { Deps } from '../deps.ts'
import type { AuditedRecord, PatientsOf } from '../platform/audit/audited-record.ts'
import { baseFields } from './base-fields.ts'
import { buildGroupStatements, type GroupStatements } from './group-statements.ts'
import { type Paths, pathsOf, type RecordColumns } from './paths.ts'
import { buildStatements, type RecordStatements } from './statements.ts'

type RuleNeeds = Pick<Deps, 'database' | 'now'>

/** The context of a record's own rules. */
export interface RuleContext {
  actor: Actor
  deps: RuleNeeds
  /** On an update: the version that is being replaced. */
  replaced?: Replaced
}

export interface Replaced {
  id: string
  /**
   * Reads the body that the new one replaces, once. @throws NotFoundError, or VersionConflictError when the version is
   * another.
   */
  read(): Promise<Record<string, unknown>>
}

export type WriteKind = 'update' | 'deactivate' | 'reactivate'

/**
 * The meaning of the version in a path, for each write that the record has: `current` is the version that the caller
 * read, `next` the one that the write creates. Source: rules.md 1.4. Where the published wording turns out to be stale,
 * this is the only place to change.
 */
export type PathVersions = Readonly<Partial<Record<WriteKind, 'current' | 'next'>>>

/**
 * A versioned record as its resource declares it: the one place that defines it. The engine (store.ts) does everything
 * general, and everything that other modules need to know about records is derived from the list of them.
 * decisions/0030-records-and-operations-describe-themselves.md
 */
interface RecordDeclaration<Mutable extends TObject, Versions extends PathVersions = PathVersions> {
  /**
   * The table name; in PascalCase, the name in the API description: `metadata_schema`, MetadataSchema. The history
   * table is `<name>_history`.
   */
  name: string
  /** The name in errors: `Note not found`. */
  label: string
  /** The body of POST and PUT. */
  mutable: Mutable
  /** A body for the examples of the API description. */
  example: Static<Mutable>
  pathVersions: Versions
  /** The fields that identify its patient, for the audit trail. */
  patients: PatientsOf<Static<Mutable>>
  /** The fields of the wire type besides the mutable and the base fields (`mrn`, `created_at`). */
  adds?: TProperties
  /** Body fields that the server owns: a PUT keeps the stored value regardless of what the client sends. */
  keeps?: readonly string[]
  /** The column of head and history that marks versions written by the server itself (`amendRecord`). */
  marksAmended?: string
  /** Body fields that are encrypted at rest (design.md, "Data model"). */
  encrypts?: readonly string[]
  /**
   * Body fields that the database also keeps in columns of the head table. Indexes are on those columns alone, so that
   * an update that does not change them touches no index.
   */
  columns?: RecordColumns
  /** Text fields of the body, such as `name.family`, that a trigram index searches. */
  searched?: readonly string[]
  /** Columns that the wire shows besides the base fields. */
  shows?: readonly 'created_at'[]
  /** True where a PUT reactivates a deactivated record (rules.md 20.14). */
  updateReactivates?: boolean
  /** Applies defaults and cross-field rules to a body; throws a WireError for a violation. */
  prepare?(body: Static<Mutable>, context: RuleContext): Promise<Static<Mutable>> | Static<Mutable>
  /** Checks rules between the stored version and the one that replaces it; throws a WireError for a violation. */
  checkUpdate?(body: Static<Mutable>, current: Static<Mutable>): void
  /** The timeline events of a write, stored together with the write (rules.md 6). `before` is absent on create. */
  events?(
    write: { id: string; after: Static<Mutable>; before?: Static<Mutable> },
    context: RuleContext,
  ): Promise<TimelineEvent[]> | TimelineEvent[]
  /** Unique constraints by name, with the error that answers a violation. */
  uniqueness?: Readonly<Record<string, () => WireError>>
}

/** One event of a patient's timeline; its user and time come from the write. */
export interface TimelineEvent {
  event_type: string
  patient_id: string
  coverage_id?: string
  appointment_id?: string
  /** YYYY-MM-DD. */
  appointment_date?: string
  payload: Record<string, unknown>
}

/** A declaration prepared for the engine, which does not depend on the contents of its bodies. */
export interface VersionedRecord<Versions extends PathVersions = PathVersions>
  extends Omit<RecordDeclaration<TObject, Versions>, 'patients'>,
    AuditedRecord {
  /** The record as responses show it. */
  wire: TObject
  /** The paths that lists of it are filtered and sorted by. */
  paths: Paths
  statements: RecordStatements & GroupStatements
}

/** A record that has a write of this kind and declares what the version in the path means. */
export type RecordWith<Kind extends WriteKind> = VersionedRecord<Readonly<Record<Kind, 'current' | 'next'>>>

/**
 * Turns a declaration into a record that the engine can store. Its wire type, paths and statements are built here,
 * once.
 */
export function defineRecord<Mutable extends TObject, const Versions extends PathVersions>(
  declaration: RecordDeclaration<Mutable, Versions>,
): VersionedRecord<Versions> {
  const created: TProperties = declaration.shows?.includes('created_at')
    ? { created_at: Type.String({ format: 'date-time' }) }
    : {}
  const wire = Type.Object({
    id: Type.String(),
    ...baseFields,
    ...created,
    ...declaration.adds,
    ...declaration.mutable.properties,
  })
  const record = {
    ...(declaration as unknown as Omit<VersionedRecord<Versions>, 'wire' | 'paths' | 'statements'>),
    wire,
  }
  return {
    ...record,
    paths: pathsOf({ record }),
    statements: { ...buildStatements(record), ...buildGroupStatements(record) },
  }
}
