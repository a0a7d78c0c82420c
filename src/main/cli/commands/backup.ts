import type { CommandDeclaration } from '../declaration.ts'
import { json, passphraseFile } from './flags.ts'

export const backup: CommandDeclaration = {
  name: 'backup',
  summary: 'write database, images and encryption keys as of now into one encrypted file, beside a running server',
  words: [{ name: 'file or folder', what: 'a file or a folder', isFile: true }],
  flags: {
    'passphrase-file': passphraseFile,
    recipient: {
      value: 'age1…',
      summary: 'encrypt to these public keys of age, several with commas, in place of a passphrase',
    },
    'without-keys': { summary: 'leave the encryption keys out of it' },
    json,
  },
  examples: ['anteroom backup /var/backups/anteroom --passphrase-file /etc/anteroom/passphrase'],
  run: async (line) => (await import('../backup.ts')).backup(line),
}
