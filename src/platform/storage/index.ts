import type { Config } from '../../config.ts'
import type { Vault } from '../crypto/encryption.ts'
import { StartupError } from '../startup-error.ts'
import { type EncryptedStorage, encryptFiles } from './encrypted-files.ts'
import { imageFolderOf } from './image-folder.ts'
import { openLocalStorage } from './local.ts'
import { removeStaleFiles } from './receive-file.ts'
import type { FileStorage } from './storage.ts'

/**
 * The encrypted storage of images for these settings: the bucket of `S3_BUCKET`, or a folder of `DATA_DIR`.
 * decisions/0005-images.md
 * @param isUsed whether files have been stored in it, by the database.
 * @throws StartupError when only one of the two access key settings is given.
 */
export async function openStorage(
  config: Config,
  vault: Vault,
  { now, isUsed }: { now: Date; isUsed: () => Promise<boolean> },
): Promise<EncryptedStorage> {
  const files = await openFiles(config, isUsed)
  await removeStaleFiles(files.incomingFolder, now)
  return encryptFiles(files, vault)
}

/** The files as they are stored. @throws StartupError like `openStorage`. */
export async function openFiles(config: Config, isUsed: () => Promise<boolean>): Promise<FileStorage> {
  const local = openLocalStorage(imageFolderOf(config), isUsed)
  if (config.S3_BUCKET === undefined) return local
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  requireBothKeys(config)
  const { openS3Storage } = await import('./s3.ts')
  return openS3Storage(
    {
      bucket: config.S3_BUCKET,
      region: config.S3_REGION,
      endpoint: config.S3_ENDPOINT,
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
      forcePathStyle: config.S3_FORCE_PATH_STYLE,
    },
    local.incomingFolder,
  )
}

/** @throws StartupError when only one part of the credentials of the bucket is given. */
export function requireBothKeys({ S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Config): void {
  if (S3_BUCKET === undefined || (S3_ACCESS_KEY_ID === undefined) === (S3_SECRET_ACCESS_KEY === undefined)) return
  throw new StartupError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together')
}
