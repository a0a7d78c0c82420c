// Flags and words that several commands share.
import type { FlagDeclaration, WordDeclaration } from '../program/declaration.ts'

export const json: FlagDeclaration = { summary: 'print JSON' }

export const organization: FlagDeclaration = { value: 'id or name', summary: 'the organization' }
/** Of commands that choose the organization where there is no choice. */
export const anyOrganization: FlagDeclaration = {
  ...organization,
  summary: 'the organization; defaults to the only one',
}

export const passphraseFile: FlagDeclaration = {
  value: 'file|-',
  summary: 'a file with the passphrase, or - for standard input, instead of BACKUP_PASSPHRASE',
  isFile: true,
}

export const identityFile: FlagDeclaration = {
  value: 'file|-',
  summary: 'a file with age identities that decrypt the backup, or - for standard input',
  isFile: true,
}

export const organizationWord: WordDeclaration = { name: 'organization', what: 'an organization (id or name)' }

export const connectorWord: WordDeclaration = { name: 'name', what: 'the name of a connector' }
