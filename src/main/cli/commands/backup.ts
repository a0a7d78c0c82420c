import type { CommandDeclaration } from '../program/declaration.ts'
import { json, passphraseFile } from './flags.ts'

export const backup: CommandDeclaration = {
  name: 'backup',
  summary: 'write the database, images and encryption keys into one encrypted file, while servers run',
  words: [{ name: 'file or folder', what: 'a file or a folder', isFile: true }],
  flags: {
    'passphrase-file': passphraseFile,
    recipient: {
      value: 'age1…',
      summary: 'encrypt for these age public keys (comma-separated) instead of with a passphrase',
    },
    'without-keys': { summary: 'leave out the encryption keys' },
    json,
  },
  examples: ['anteroom backup /var/backups/anteroom --passphrase-file /etc/anteroom/passphrase'],
  run: async (line) => (await import('../backup.ts')).backup(line),
}
