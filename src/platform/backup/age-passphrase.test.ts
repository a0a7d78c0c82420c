// Against the age library, whose own passphrases are what other programs write and read.
import { Decrypter, Encrypter, Stanza } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { passphraseIdentity, passphraseRecipient } from './age-passphrase.ts'

const PASSPHRASE = 'several wörds 数 of a passphrase'
const CONTENT = 'the content'

async function writtenByAge(passphrase = PASSPHRASE): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(2)
  return encrypter.encrypt(CONTENT)
}

async function writtenHere(): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(passphraseRecipient(PASSPHRASE, 2))
  return encrypter.encrypt(CONTENT)
}

describe('a passphrase', () => {
  it('encrypts what age decrypts', async () => {
    const decrypter = new Decrypter()
    decrypter.addPassphrase(PASSPHRASE)
    expect(await decrypter.decrypt(await writtenHere(), 'text')).toBe(CONTENT)
  })

  it('decrypts what age encrypts, and what it encrypts itself', async () => {
    for (const file of [await writtenByAge(), await writtenHere()]) {
      const decrypter = new Decrypter()
      decrypter.addIdentity(passphraseIdentity(PASSPHRASE))
      expect(await decrypter.decrypt(file, 'text')).toBe(CONTENT)
    }
  })

  it('is one of several that are tried, and none of them decrypts the file of another', async () => {
    const decrypter = new Decrypter()
    for (const each of ['wrong', PASSPHRASE, 'wrong too']) decrypter.addIdentity(passphraseIdentity(each))
    expect(await decrypter.decrypt(await writtenByAge(), 'text')).toBe(CONTENT)
    await expect(decrypter.decrypt(await writtenByAge('another'))).rejects.toThrow('no identity matched')
  })

  it('makes another salt for each file', async () => {
    const salts = new Set<string | undefined>()
    for (let file = 0; file < 20; file++) {
      const [stanza] = await passphraseRecipient(PASSPHRASE, 1).wrapFileKey(new Uint8Array(16))
      salts.add(stanza?.args[1])
    }
    expect(salts.size).toBe(20)
  })
})

describe('a header that age does not write', () => {
  const salt = 'AAAAAAAAAAAAAAAAAAAAAA'
  const body = new Uint8Array(32)
  it.each<[string, Stanza[]]>([
    ['a work factor of 21, two gigabytes of memory', [new Stanza(['scrypt', salt, '21'], body)]],
    ['a work factor of 1e1', [new Stanza(['scrypt', salt, '1e1'], body)]],
    ['a work factor of 0', [new Stanza(['scrypt', salt, '0'], body)]],
    ['a work factor of 01', [new Stanza(['scrypt', salt, '01'], body)]],
    ['a work factor with more digits than a number holds', [new Stanza(['scrypt', salt, '1'.repeat(400)], body)]],
    ['no work factor', [new Stanza(['scrypt', salt], body)]],
    ['one argument more', [new Stanza(['scrypt', salt, '2', 'x'], body)]],
    ['a short salt', [new Stanza(['scrypt', 'AAAA', '2'], body)]],
    ['a salt that is written in another way', [new Stanza(['scrypt', 'AAAAAAAAAAAAAAAAAAAAAB', '2'], body)]],
    ['a short file key', [new Stanza(['scrypt', salt, '2'], body.subarray(1))]],
    ['a long file key', [new Stanza(['scrypt', salt, '2'], new Uint8Array(33))]],
    ['another recipient beside it', [new Stanza(['scrypt', salt, '2'], body), new Stanza(['X25519', salt], body)]],
  ])('is refused: %s', async (_, stanzas) => {
    await expect(passphraseIdentity(PASSPHRASE).unwrapFileKey(stanzas)).rejects.toThrow()
  })

  it('is of nobody here where it has no passphrase', async () => {
    expect(await passphraseIdentity(PASSPHRASE).unwrapFileKey([new Stanza(['X25519', salt], body)])).toBeNull()
    expect(await passphraseIdentity(PASSPHRASE).unwrapFileKey([])).toBeNull()
  })
})
