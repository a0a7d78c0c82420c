import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Actor } from '../contract/actor.ts'
import type { WireError } from '../contract/errors.ts'
import type { Deps } from '../deps.ts'
import type { AuditedRecord, PatientsOf } from '../platform/audit/whose.ts'
import { baseFields } from './base-fields.ts'
import { buildGroupStatements, type GroupStatements } from './group-statements.ts'
import { type Paths, pathsOf, type RecordColumns } from './paths.ts'
import { buildStatements, type RecordStatements } from './statements.ts'

type RuleNeeds = Pick<Deps, 'database' | 'now'>

/** What a rule of one record may use. */
export interface RuleContext {
  actor: Actor
  deps: RuleNeeds
  /** On an update: the record whose next version is written. */
  replaced?: Replaced
}

export interface Replaced {
  id: string
  /** The body that the new one replaces, read once. @throws NotFoundError, VersionConflictError where the version is another. */
  read(): Promise<Record<string, unknown>>
}

export type WriteKind = 'update' | 'deactivate' | 'reactivate'

/**
 * What the version in a path means, for each write that the record has: `current` is the version that the caller read, `next` the one that
 * the write will make. Source: rules.md 1.4; where the published wording may be stale, a flip here is all it takes.
 */
export type PathVersions = Readonly<Partial<Record<WriteKind, 'current' | 'next'>>>

/**
 * A versioned record as its resource declares it: the one place that knows it. Everything general is the engine's (store.ts); what others
 * need to know of records is derived from the list of them. decisions/0030-records-and-operations-describe-themselves.md
 */
export interface RecordDeclaration<Mutable extends TObject, Versions extends PathVersions = PathVersions> {
  /** The table, and with capitals the name in the description: `metadata_schema`, MetadataSchema. Its history is `<name>_history`. */
  name: string
  /** How an error calls it: `Note not found`. */
  label: string
  /** The body of POST and PUT. */
  mutable: Mutable
  /** A body as the description shows it. */
  example: Static<Mutable>
  pathVersions: Versions
  /** Where it says whose it is, for the audit trail. */
  patients: PatientsOf<Static<Mutable>>
  /** What the wire type has beside the mutable fields and the base fields (`mrn`, `created_at`). */
  adds?: TProperties
  /** Body fields that the server owns: a PUT keeps what is stored whatever the client sends. */
  keeps?: readonly string[]
  /** The column of head and history that is true for the versions that the server itself wrote (`amendRecord`). */
  marksAmended?: string
  /** Body fields that are encrypted at rest (design.md, "Data model"). */
  encrypts?: readonly string[]
  /** What the database keeps in columns of the head table, too: an index stands on those alone, so that a write which leaves them enters none. */
  columns?: RecordColumns
  /** Texts of the body, as `name.family`, whose parts an index by trigrams finds. */
  searched?: readonly string[]
  /** Columns that the wire shows beside the base fields. */
  shows?: readonly 'created_at'[]
  /** True where a PUT brings a deactivated record back (rules.md 20.14). */
  updateReactivates?: boolean
  /** Defaults and cross-field rules of a body; throws a WireError for a breach. */
  prepare?(body: Static<Mutable>, context: RuleContext): Promise<Static<Mutable>> | Static<Mutable>
  /** Rules between the stored version and the one that replaces it; throws a WireError for a breach. */
  checkUpdate?(body: Static<Mutable>, current: Static<Mutable>): void
  /** What a write tells the patient's timeline, beside the write itself (rules.md 6). `before` is absent on create. */
  events?(
    write: { id: string; after: Static<Mutable>; before?: Static<Mutable> },
    context: RuleContext,
  ): Promise<TimelineEvent[]> | TimelineEvent[]
  /** Unique constraints by name: what a write that breaks one is answered. */
  uniqueness?: Readonly<Record<string, () => WireError>>
}

/** One event of a patient's timeline; who and when come from the write. */
export interface TimelineEvent {
  event_type: string
  patient_id: string
  coverage_id?: string
  appointment_id?: string
  /** YYYY-MM-DD. */
  appointment_date?: string
  payload: Record<string, unknown>
}

/** A declaration made ready for the engine, which does not care what its bodies hold. */
export interface VersionedRecord<Versions extends PathVersions = PathVersions>
  extends Omit<RecordDeclaration<TObject, Versions>, 'patients'>,
    AuditedRecord {
  /** The record as responses show it. */
  wire: TObject
  /** What lists of it are filtered and sorted by. */
  paths: Paths
  statements: RecordStatements & GroupStatements
}

/** A record with a write of this kind: it says what the version in the path means. */
export type RecordWith<Kind extends WriteKind> = VersionedRecord<Readonly<Record<Kind, 'current' | 'next'>>>

/** Turns a declaration into a record that the engine can store: its wire type, its paths and its statements are made once, here. */
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
  let paths: Paths | undefined
  return {
    ...record,
    // When a list asks: most starts need those of no record.
    get paths() {
      paths ??= pathsOf({ record })
      return paths
    },
    statements: { ...buildStatements(record), ...buildGroupStatements(record) },
  }
}
