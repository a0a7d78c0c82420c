import type { CommandDeclaration } from '../program/declaration.ts'
import { identityFile, json, passphraseFile } from './flags.ts'

export const restore: CommandDeclaration = {
  name: 'restore',
  summary: 'restore a backup into an empty database or DATA_DIR, completely or not at all',
  words: [{ name: 'file', what: 'a backup file', isFile: true }],
  flags: { 'passphrase-file': passphraseFile, 'identity-file': identityFile, json },
  examples: ['DATA_DIR=/srv/anteroom anteroom restore anteroom.backup --passphrase-file -'],
  run: async (line) => (await import('../restore.ts')).restore(line),
}
