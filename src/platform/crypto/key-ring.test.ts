import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { createVault } from './encryption.ts'
import { fixedRing, newDataKey, openKeyRing, removeUnfinishedKeyFiles, ringOf, writeKeyFile } from './key-ring.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-keys-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const place = { table: 'connector', column: 'settings', organizationId: 'o', id: 'direct' }
const [first, second] = [newDataKey(), newDataKey()]

it('decrypts and verifies with every key of the ring, and encrypts and signs with the first', () => {
  const old = createVault(first.bytes)
  const both = createVault(fixedRing([second.bytes, first.bytes]))
  const [encrypted, signature] = [old.encrypt('a secret', place), old.sign('a text')]
  expect(both.decrypt(encrypted, place)).toBe('a secret')
  expect(both.isSigned('a text', signature)).toBe(true)
  expect(both.isSigned('another text', signature)).toBe(false)
  expect(both.encrypt('a secret', place)).toContain(`encrypted:${second.id}:`)
  expect(old.tryDecrypt(both.encrypt('a secret', place), place)).toBeUndefined()
  expect(old.isSigned('a text', both.sign('a text'))).toBe(false)
})

/** In a database without encrypted values. */
const inNew = async () => true

it('a running process reads a new key from the file, at the latest when a value needs it', async () => {
  const config = readConfig({ DATA_DIR: join(folder, 'running') })
  const running = createVault(await openKeyRing(config, inNew))
  const path = join(folder, 'running', 'encryption-key')
  const [present] = (await openKeyRing(config)).keys()
  await writeKeyFile(path, [second, ...(present ? [present] : [])])
  const rotated = createVault(await openKeyRing(config))
  expect(rotated.keyId).toBe(second.id)
  expect(running.decrypt(rotated.encrypt('a secret', place), place)).toBe('a secret')
  expect(running.keyIds).toEqual([second.id, present?.id])
  expect((await stat(path)).mode & 0o077).toBe(0)
})

it('what killed processes left of key files is removed, and nothing else', async () => {
  const config = readConfig({ DATA_DIR: join(folder, 'killed') })
  await openKeyRing(config, inNew)
  const path = join(config.DATA_DIR, 'encryption-key')
  const kept = ['encryption-key', 'encryption-key.copy', `other-key.${randomUUID()}`].sort()
  for (const name of kept.slice(1)) await writeFile(join(config.DATA_DIR, name), '')
  await copyFile(path, `${path}.${randomUUID()}`)
  await removeUnfinishedKeyFiles(path)
  expect((await readdir(config.DATA_DIR)).sort()).toEqual(kept)
})

it('processes that start at once in a new folder use the same key, and none ever reads half of it', async () => {
  for (let round = 0; round < 20; round += 1) {
    const config = readConfig({ DATA_DIR: join(folder, `shared-${round}`) })
    const path = join(config.DATA_DIR, 'encryption-key')
    const seen = new Set<string>()
    let isOpening = true
    const opening = Promise.all(Array.from({ length: 4 }, () => openKeyRing(config, inNew))).finally(() => {
      isOpening = false
    })
    while (isOpening) {
      if (existsSync(path)) seen.add(readFileSync(path, 'utf8'))
      await nextTurn()
    }
    const rings = await opening
    expect(new Set(rings.map((ring) => ring.keys()[0]?.id)).size).toBe(1)
    expect([...seen].filter((text) => !/^[0-9a-f]{64}\n$/.test(text))).toEqual([])
    expect(await readdir(config.DATA_DIR)).toEqual(['encryption-key'])
  }
})

it('a missing key file removes no key from a running process', async () => {
  const config = readConfig({ DATA_DIR: join(folder, 'gone') })
  const vault = createVault(await openKeyRing(config, inNew))
  const encrypted = vault.encrypt('a secret', place)
  await rm(join(folder, 'gone', 'encryption-key'))
  expect(vault.tryDecrypt(`encrypted:00000000:${randomBytes(40).toString('base64url')}`, place)).toBeUndefined()
  expect(vault.decrypt(encrypted, place)).toBe('a secret')
})

it('a missing key file is named with what to do, and no other key takes its place', async () => {
  const config = readConfig({ DATA_DIR: join(folder, 'lost') })
  const path = join(folder, 'lost', 'encryption-key')
  await expect(openKeyRing(config)).rejects.toThrow(`the key file ${path} is missing: put its copy back`)
  expect(existsSync(path)).toBe(false)
})

it('accepts keys separated by commas or lines, and shows no digit of an invalid one', () => {
  const [a, b] = [first.bytes.toString('hex'), second.bytes.toString('hex')]
  expect(
    ringOf(`${a},${b}\n`, 'here')
      .keys()
      .map(({ id }) => id),
  ).toEqual([first.id, second.id])
  for (const text of ['', `${a},${b.slice(1)}`, `${a}\n${a.toUpperCase()}`]) {
    let message = ''
    try {
      ringOf(text, 'here')
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toMatch(/^here contains|^here does not contain/)
    expect(message).not.toContain(a.slice(0, 8))
  }
})
