// Files encrypted with age, which any implementation of age can decrypt. Source: https://age-encryption.org/v1.
import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { StartupError } from '../startup-error.ts'
import { passphraseIdentity, passphraseRecipient } from './age-passphrase.ts'
import { alteredBackup } from './refusals.ts'

/** The keys that a file is encrypted for. A key of 256 random bits may be used instead of a passphrase. */
export type AgeTarget = { passphrase: string } | { key: string } | { recipients: string[] }

interface AgeSecrets {
  passphrases: string[]
  /** `AGE-SECRET-KEY-1…` */
  identities: string[]
}

/** The first bytes of such a file. */
export const MAGIC = Buffer.from('age-encryption.org/v1\n')
/** A header has a line or two per recipient. */
const MAX_HEADER_BYTES = 64 * 1024
/** Of the command `age`: a second or two. */
const WORK_FACTOR = 18
/** The work factor slows down guessing, which is pointless against a random key. */
const KEY_WORK_FACTOR = 10

/** What a killed backup leaves behind; its name has an id, so that it does not obstruct another backup. */
const UNFINISHED = /\.unfinished-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** A backup that is being written changes its file all the time. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/**
 * Writes a new file, which gets its name once it is complete and on disk. @throws StartupError when the file exists,
 * or cannot be written: the part that was written is removed. What killed backups left in the folder is removed as well.
 */
export async function writeAgeFile(
  path: string,
  target: AgeTarget,
  content: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  const encrypter = encrypterFor(target)
  if (existsSync(path)) throw new StartupError(`${path} already exists`)
  await removeAbandoned(dirname(path))
  const unfinished = `${path}.unfinished-${randomUUID()}`
  try {
    const file = await open(unfinished, 'wx', 0o600)
    const encrypted = async function* () {
      yield* await encrypter.encrypt(webStream(content()))
    }
    await pipeline(encrypted, file.createWriteStream({ flush: true }))
    await publish(unfinished, path)
    const folder = await open(dirname(path))
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    const reason = writeFault(error as NodeJS.ErrnoException, unfinished)
    throw reason === undefined ? error : new StartupError(`${path} cannot be written: ${reason}`, { cause: error })
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** A link never replaces a file. Some network folders have no links (Azure Files over SMB); there it is renamed. */
async function publish(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
  } catch (error) {
    // Another backup to the same path was finished meanwhile.
    if (existsSync(path)) throw new StartupError(`${path} already exists`, { cause: error })
    await rename(unfinished, path)
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!UNFINISHED.test(name)) continue
    const file = join(folder, name)
    const changedAt = (await stat(file).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - changedAt > ABANDONED_AFTER_MS) await rm(file, { force: true })
  }
}

/** Why the system refused to write the file (`ENOSPC: no space left on device, write`); undefined for another error. */
function writeFault({ syscall, path, message }: NodeJS.ErrnoException, file: string): string | undefined {
  const isOfFile = path === file || syscall === 'write' || syscall === 'fsync'
  return isOfFile ? /^E[A-Z]+: ([^,]+)/.exec(message)?.[1] : undefined
}

/**
 * Finds the secret that decrypts a file, and returns a function that reads it as often as needed, because trying a
 * passphrase takes seconds.
 * @throws StartupError when none of the secrets decrypts it.
 */
export async function openAgeFile(path: string, secrets: AgeSecrets): Promise<() => AsyncGenerator<Buffer>> {
  const fileKey = await decrypterFor(secrets)
    .decryptHeader(await readHeader(path))
    .catch((cause) => {
      throw new StartupError(
        'none of the given secrets decrypts the backup (passphrase, identity file, encryption key), or its header was altered',
        { cause },
      )
    })
  return async function* () {
    const decrypter = new Decrypter()
    decrypter.addIdentity({ unwrapFileKey: () => fileKey })
    const file = createReadStream(path)
    try {
      for await (const piece of await decrypter.decrypt(webStream(file))) yield Buffer.from(piece)
    } finally {
      file.destroy()
    }
  }
}

function encrypterFor(target: AgeTarget): Encrypter {
  const encrypter = new Encrypter()
  if ('passphrase' in target) encrypter.addRecipient(passphraseRecipient(target.passphrase, WORK_FACTOR))
  else if ('key' in target) encrypter.addRecipient(passphraseRecipient(target.key, KEY_WORK_FACTOR))
  else {
    for (const recipient of target.recipients) {
      try {
        encrypter.addRecipient(recipient)
      } catch (cause) {
        throw new StartupError('a recipient must be the public key of an age identity, age1…', { cause })
      }
    }
  }
  return encrypter
}

function decrypterFor({ passphrases, identities }: AgeSecrets): Decrypter {
  const decrypter = new Decrypter()
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity)
    } catch (cause) {
      throw new StartupError('an identity must be an age secret key, AGE-SECRET-KEY-1…', { cause })
    }
  }
  for (const passphrase of passphrases) decrypter.addIdentity(passphraseIdentity(passphrase))
  return decrypter
}

/** The lines up to the one that starts with `---`. @throws StartupError when there is none. */
async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const start = Buffer.alloc(MAX_HEADER_BYTES)
    const { bytesRead } = await file.read(start, 0, MAX_HEADER_BYTES, 0)
    const mac = start.subarray(0, bytesRead).indexOf('\n--- ')
    const end = mac < 0 ? -1 : start.subarray(0, bytesRead).indexOf('\n', mac + 1)
    if (end < 0) throw alteredBackup(path)
    return start.subarray(0, end + 1)
  } finally {
    await file.close()
  }
}

const webStream = (bytes: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(bytes) as unknown as globalThis.ReadableStream<Uint8Array>
