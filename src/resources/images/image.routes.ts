import { Type } from 'typebox'
import { recordId } from '../../contract/common.schema.ts'
import { isVersionConflict } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { create, deactivate, expectedFrom, prepared, read, update } from '../../records/endpoints.ts'
import { textOrder } from '../../records/paths.ts'
import { readAll } from '../../records/read-all.ts'
import { resource } from '../../records/resource.ts'
import { wireColumns } from '../../records/statements.ts'
import { setDeactivated, updateRecord } from '../../records/store.ts'
import { toWire } from '../../records/wire.ts'
import * as schemas from './image.schema.ts'
import { ImageSortField } from './image.schema.ts'
import { image } from './image.ts'
import { findUploadedSince } from './image-content.ts'
import { signContentUrl } from './signed-url.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'tokens' | 'sessions' | 'vault' | 'storage' | 'now' | 'newId'>

/** The operation with a `signed_url` added to the image that it returns. */
const signed = (plain: Endpoint<Needs>): Endpoint<Needs> => ({
  ...plain,
  async handle(deps, call) {
    const text = (await plain.handle(deps, call)) as string
    return withSignedUrl(text, signContentUrl(deps, call, JSON.parse(text)))
  },
})

const withSignedUrl = (text: string, url: string) => `${text.slice(0, -1)},"signed_url":${JSON.stringify(url)}}`

/**
 * The published flow is: create, upload, PUT with UPLOADED on the version that the create returned. The upload has
 * already written a version, so this PUT is treated as if its caller had read that version.
 * decisions/0005-images.md
 */
const updateAfterUpload: Endpoint<Needs> = {
  ...update(image),
  async handle(deps, call) {
    const expectedVersion = expectedFrom(image, 'update', call.params.version ?? '')
    const target = { id: call.params.id ?? '', expectedVersion, body: await prepared(deps, image, call) }
    try {
      return await updateRecord(deps, image, call.actor, target)
    } catch (error) {
      if (!isVersionConflict(error) || target.body.status !== 'UPLOADED') throw error
      const uploaded = await findUploadedSince(deps, call.actor, target)
      if (!uploaded) throw error
      if (uploaded.isSame) return uploaded.wire
      return updateRecord(deps, image, call.actor, { ...target, expectedVersion: expectedVersion + 1 })
    }
  },
}

/** The same for a DELETE: the only change since the version that the caller read is the upload. */
const plainDeactivate = deactivate(image)
const deactivateAfterUpload: Endpoint<Needs> = {
  ...plainDeactivate,
  summary: 'Deactivates an image. The version before the upload of its bytes is accepted too.',
  async handle(deps, call) {
    try {
      return await plainDeactivate.handle(deps, call)
    } catch (error) {
      const expectedVersion = expectedFrom(image, 'deactivate', call.params.version ?? '')
      const target = { id: call.params.id ?? '', expectedVersion, body: {} }
      if (!isVersionConflict(error) || !(await findUploadedSince(deps, call.actor, target))) throw error
      const deactivated = { ...target, expectedVersion: expectedVersion + 1, deactivated: true }
      await setDeactivated(deps, image, call.actor, deactivated)
      return undefined
    }
  },
}

const SORT_COLUMNS: Record<ImageSortField, string> = {
  updatedAt: 'updated_at',
  fileName: textOrder("body ->> 'file_name'"),
  displayName: textOrder("body ->> 'display_name'"),
  fileType: textOrder("body ->> 'file_type'"),
  status: "body ->> 'status'",
}

const FILTERS = {
  patient_id: "body -> 'patient' ->> 'id' = ?",
  coverage_id: "body -> 'coverage' ->> 'id' = ?",
  file_type: "body ->> 'file_type' = ?",
  patient_notes: "position(caseless(?) in caseless(body -> 'patient' ->> 'notes')) > 0",
}

/** Every active image that matches all filters. Source: rules.md 9. */
const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  summary: 'Lists images, latest change first; deactivated images are excluded.',
  query: Type.Object({
    patient_id: Type.Optional(recordId()),
    coverage_id: Type.Optional(recordId()),
    file_type: Type.Optional(Type.String()),
    patient_notes: Type.Optional(Type.String()),
    sort_field: Type.Optional(ImageSortField),
    sort_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  }),
  answer: Type.Array(image.wire),
  errors: [],
  async handle(deps: Needs, call) {
    const { sort_field = 'updatedAt', sort_direction = 'desc', ...filters } = call.query
    const values: string[] = [call.actor.organizationId]
    const conditions = Object.entries(filters).map(([name, value]) => {
      values.push(value)
      return `and ${FILTERS[name as keyof typeof FILTERS].replace('?', `$${values.length}::text`)}`
    })
    return readAll(deps, {
      from: `from image where organization_id = $1 and not deactivated ${conditions.join(' ')}`,
      values,
      columns: wireColumns('image'),
      sort: {
        sql: SORT_COLUMNS[sort_field],
        type: sort_field === 'updatedAt' ? 'timestamptz' : 'text',
        direction: sort_direction,
      },
      id: 'id',
      request: { operation: 'images.getMulti' },
      toText(row) {
        const shown = { id: row[0] ?? '', version: Number(row[3]) }
        return withSignedUrl(toWire(image, row, deps.vault), signContentUrl(deps, call, shown))
      },
    })
  },
})

export const images = resource({
  path: '/images/v1',
  group: 'images',
  about: 'Images of insurance cards and other documents, uploaded and read through signed URLs.',
  permits: { read: 'See images, such as those of insurance cards.', write: 'Add, change and remove images.' },
  record: image,
  schemas,
  routes: [
    signed(create(image, ['VersionConflictError'])), // POST   /
    signed(read(image)), // GET    /:id
    signed(updateAfterUpload), // PUT    /:id/:version
    deactivateAfterUpload, // DELETE /:id/:version
    list, // GET    /
  ],
})
