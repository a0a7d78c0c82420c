// The bytes of an image: received whole or not at all, and recorded as a version of it. decisions/0005-images.md
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Actor } from '../../contract/actor.ts'
import { notFound, versionConflict, WireError } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/database.ts'
import { derivedStream } from '../../platform/storage/derived-stream.ts'
import { type ReceivedFile, receiveFile } from '../../platform/storage/receive-file.ts'
import { type UploadedBytes, unchanged } from '../../platform/storage/uploaded-bytes.ts'
import { wireColumns } from '../../records/statements.ts'
import { holdRecord, possibleVersion, type RecordBody, updateRecord } from '../../records/store.ts'
import { toWire } from '../../records/wire.ts'
import { image } from './image.ts'
import { actorOf, type ContentGrant, requirePermission } from './signed-url.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'tokens' | 'sessions' | 'vault' | 'storage' | 'now' | 'newId'>

/** The type and size of an image's bytes, and an id for the upload that brought them. */
export interface ImageContent extends UploadedBytes {
  uploadId: string
  contentType: string
  fileName: string
}

/**
 * Stores the bytes that arrive through a signed URL and writes the image's next version with status UPLOADED. A
 * repeated upload of the same bytes is answered like the first one and changes nothing, because clients retry when they
 * get no answer.
 * @throws BadRequestError, 413 and InvalidContentTypeError for unacceptable bytes, VersionConflictError when other
 * bytes have been uploaded since the URL was issued. Nothing is kept of an upload that is refused, repeated or cut off.
 */
export async function receiveContent(deps: Needs, grant: ContentGrant, source: Readable): Promise<void> {
  const uploadId = deps.newId()
  const { incomingFolder: folder } = deps.storage
  const file = await receiveFile(source, { folder, name: uploadId, limitBytes: deps.config.IMAGE_MAX_BYTES })
  const key = keyOf(grant, uploadId)
  try {
    // The upload may have taken long: a client that was revoked meanwhile writes nothing.
    await requirePermission(deps, grant, 'write')
    if (await isRepeated(deps.database, grant, file)) return
    await deps.storage.keep(key, file)
    const isRecorded = await recordUpload(deps, grant, uploadId, file)
    if (!isRecorded) await deps.storage.remove(key).catch(() => {})
  } catch (error) {
    // After a database failure the upload may have been recorded nevertheless: the bytes must then stay.
    const isSurelyUnrecorded = error instanceof WireError && error.status < 500
    // A file that cannot be removed now is one that nothing refers to; the caller must get the refusal itself.
    if (isSurelyUnrecorded) await deps.storage.remove(key).catch(() => {})
    throw error
  } finally {
    await rm(file.path, { force: true })
  }
}

/** The latest upload. @throws NotFoundError when there is none. */
export async function readContentFacts(deps: Needs, grant: ContentGrant): Promise<ImageContent> {
  const row = await deps.database.row(latestUpload, [grant.organizationId, grant.imageId])
  if (!row) throw notFound('Image content')
  const [, uploadId, contentType, sizeBytes, fileName] = row as [string, string, string, string, string]
  return { uploadId, contentType, sizeBytes: Number(sizeBytes), fileName, sha256: row[5] ?? undefined }
}

/** The bytes of an upload. @throws NotFoundError when they are gone. */
export async function openContent(deps: Needs, grant: ContentGrant, content: ImageContent): Promise<Readable> {
  const bytes = await deps.storage.open(keyOf(grant, content.uploadId))
  if (!bytes) throw notFound('Image content')
  return derivedStream(bytes, (source) => unchanged(source, content))
}

/**
 * For a PUT that states UPLOADED with the version before the upload: the image that the upload wrote, and whether the
 * PUT would change anything in it. Undefined when the change between the two versions is not an upload.
 */
export async function findUploadedSince(
  deps: Needs,
  actor: Actor,
  target: { id: string; expectedVersion: number; body: RecordBody },
): Promise<{ wire: string; isSame: boolean } | undefined> {
  const values = [actor.organizationId, target.id, possibleVersion(target.expectedVersion), JSON.stringify(target.body)]
  const row = await deps.database.row(uploadedVersion, values)
  return row && { wire: toWire(image, row.slice(0, -1), deps.vault), isSame: row.at(-1) === 't' }
}

const keyOf = (grant: ContentGrant, uploadId: string) => `${grant.organizationId}/${uploadId}`

/** Returns false when the same bytes have been uploaded meanwhile: there is nothing to record then. */
async function recordUpload(deps: Needs, grant: ContentGrant, uploadId: string, file: ReceivedFile): Promise<boolean> {
  const { organizationId, imageId } = grant
  const actor = actorOf(grant)
  return deps.database.transaction(async (database) => {
    const inside = { ...deps, database }
    const held = await holdRecord(inside, image, actor, imageId)
    if (!held) throw notFound(image.label)
    if (await isRepeated(database, grant, file)) return false
    const digest = `\\x${file.sha256.toString('hex')}`
    const values = [organizationId, imageId, held.version + 1, uploadId, file.contentType, file.sizeBytes, digest]
    await database.rows(insertUpload, values)
    const body = { ...held.body, status: 'UPLOADED' }
    await updateRecord(inside, image, actor, { id: imageId, expectedVersion: held.version, body })
    return true
  })
}

/**
 * Whether the latest upload since the URL was issued brought the same bytes. @throws VersionConflictError when it
 * brought other bytes.
 */
async function isRepeated(database: Database, grant: ContentGrant, file: ReceivedFile): Promise<boolean> {
  const row = await database.row(latestUpload, [grant.organizationId, grant.imageId])
  const version = Number(row?.[0] ?? 0)
  if (version <= grant.version) return false
  if (row?.at(-1) !== file.sha256.toString('hex')) throw versionConflict(version)
  return true
}

const latestUpload = {
  name: 'image_content_latest',
  text: `select c.version, c.upload_id, c.content_type, c.size_bytes, i.body ->> 'file_name', encode(c.sha256, 'hex')
    from image_content c join image i on i.organization_id = $1 and i.id = c.image_id
    where c.organization_id = $1 and c.image_id = $2 order by c.version desc limit 1`,
}

const insertUpload = {
  name: 'image_content_insert',
  text: `insert into image_content (organization_id, image_id, version, upload_id, content_type, size_bytes, sha256)
    values ($1, $2, $3, $4, $5, $6, $7)`,
}

const uploadedVersion = {
  name: 'image_uploaded_version',
  text: `select ${wireColumns('i')}, i.body = $4::jsonb
    from image i join image_content c on c.organization_id = $1 and c.image_id = i.id and c.version = i.version
    where i.organization_id = $1 and i.id = $2 and i.version - 1 = $3`,
}
