import { expect, it } from 'vitest'
import { unavailable } from '../../contract/errors.ts'
import type { Database } from '../database/database.ts'
import type { EncryptedStorage } from '../storage/encrypted-files.ts'
import { reencryptImages } from './re-encrypt.ts'

const images = ['a', 'b', 'c'].map((upload) => ['organization', upload])
const database = { rows: async () => images } as unknown as Database
const storageThat = (reencrypt: EncryptedStorage['reencrypt']) => ({ reencrypt }) as EncryptedStorage

it('a storage that fails during a key rotation ends it at the first image, with the reason', async () => {
  const asked: string[] = []
  const failing = storageThat(async (key) => {
    asked.push(key)
    throw unavailable('the image storage cannot be reached right now', new Error('the bucket answered 503 (SlowDown)'))
  })
  await expect(reencryptImages(database, failing)).rejects.toThrow(
    'an image could not be encrypted (the bucket answered 503 (SlowDown)), so no key was dropped: run this command again',
  )
  expect(asked).toEqual(['organization/a'])
})

it('an image that cannot be decrypted is counted, and the others are encrypted', async () => {
  const damaged = storageThat(async (key) => {
    if (key === 'organization/b') throw new Error('altered or truncated')
    return true
  })
  expect(await reencryptImages(database, damaged)).toEqual({ reencrypted: 2, unreadable: 1 })
})
