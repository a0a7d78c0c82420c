// Flags and words that several commands share.
import type { FlagDeclaration, WordDeclaration } from '../declaration.ts'

export const json: FlagDeclaration = { summary: 'print JSON, for programs' }

export const organization: FlagDeclaration = { value: 'id or name', summary: 'the organization' }

export const passphraseFile: FlagDeclaration = {
  value: 'file|-',
  summary: 'the file of the passphrase, or - for standard input, in place of BACKUP_PASSPHRASE',
  isFile: true,
}

export const identityFile: FlagDeclaration = {
  value: 'file|-',
  summary: 'the file of the identities of age that open it, or - for standard input',
  isFile: true,
}

export const organizationWord: WordDeclaration = { name: 'organization', what: 'an organization (id or name)' }

export const connectorWord: WordDeclaration = { name: 'name', what: 'the name of a connector' }
