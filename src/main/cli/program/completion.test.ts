import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { declarations } from '../commands/index.ts'
import { bashScript, zshScript } from './completion.ts'
import { flatten, isGroup } from './declaration.ts'

/** The completions that a real bash offers after these words, the last of which is being typed. */
function offers(...words: string[]): string[] {
  const script = `${bashScript(declarations)}
COMP_WORDS=(anteroom "$@"); COMP_CWORD=$#; _anteroom; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script, 'bash', ...words], {
    encoding: 'utf8',
    // With a pipe as its input, bash would read the start-up files of the user who runs the tests.
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}

describe('the completion for bash', () => {
  it('offers every command, and every subcommand of a group', () => {
    expect(offers('')).toEqual([...declarations.map(({ name }) => name), 'help', '--help', '--version'])
    for (const group of declarations.filter(isGroup)) {
      expect(offers(group.name, '')).toEqual([...group.commands.map(({ name }) => name), '--help'])
    }
  })

  it('offers only the flags of the command', () => {
    for (const { path, command } of flatten(declarations).filter((_, index) => index % 3 === 0)) {
      const flags = Object.keys(command.flags ?? {}).map((flag) => `--${flag}`)
      expect(offers(...path.split(' '), '--')).toEqual([...flags, '--help'])
    }
    expect(offers('audit', 'forget', '--b')).toEqual(['--before'])
    expect(offers('client', 'create', 'front desk', '--organization', 'Harbor', '--r')).toEqual(['--read-only'])
  })

  it('offers the values of a flag when they are known, file names when it takes a file, and nothing for free text', () => {
    expect(offers('connector', 'create', 'a', 'b', '--kind', '')).toEqual(['core', 'stedi', 'availity'])
    expect(offers('organization', 'update', 'a', '--verify', 'o')).toEqual(['on', 'off'])
    expect(offers('restore', '/et')).toEqual(['/etc'])
    expect(offers('backup', 'x', '--passphrase-file', '/et')).toEqual(['/etc'])
    expect(offers('client', 'create', 'x', '--organization', '')).toEqual([])
  })

  it('begins a word', () => {
    expect(offers('cl')).toEqual(['client'])
    expect(offers('keys', 'r')).toEqual(['rotate', 'retire'])
  })
})

describe('the completion for zsh', () => {
  it('lists every command and every flag', () => {
    const script = zshScript(declarations)
    expect(script).toMatch(/^#compdef anteroom\n/)
    for (const { path, command } of flatten(declarations)) {
      const flags = Object.keys(command.flags ?? {}).map((flag) => `--${flag} `)
      expect(script).toContain(`'${path}') choices='${flags.join('')}--help' ;;`)
    }
  })

  it('is a script that zsh can parse, if zsh is installed', (context) => {
    const found = spawnSync('zsh', ['-c', 'true'])
    if (found.error) {
      console.info('There is no zsh here: its script is not tried.')
      return context.skip()
    }
    expect(spawnSync('zsh', ['-n'], { input: zshScript(declarations), encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})
