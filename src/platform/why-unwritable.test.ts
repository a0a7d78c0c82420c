import { expect, it } from 'vitest'
import { osUser, whyUnwritable } from './why-unwritable.ts'

const failed = (code: string) => Object.assign(new Error(`${code}: refused`), { code })

it('a folder that this account may not write is explained by the account and the command that gives it the folder', () => {
  for (const code of ['EACCES', 'EPERM']) {
    const says = whyUnwritable('/srv/anteroom', failed(code))
    expect(says).toContain(`the account ${osUser()} may not write there`)
    expect(says).toContain(`install -d -m 700 -o ${osUser()} /srv/anteroom`)
    expect(says).not.toContain(code)
  }
})

it('other reasons are explained in words, and one without words keeps its code', () => {
  for (const [code, words] of [
    ['EROFS', 'mounted read-only'],
    ['ENOSPC', 'full'],
    ['EDQUOT', 'quota'],
    ['ENOTDIR', 'a file, not a folder'],
    ['EEXIST', 'a file, not a folder'],
  ] as const) {
    const says = whyUnwritable('/srv/anteroom', failed(code))
    expect(says).toContain(words)
    expect(says).not.toContain(code)
  }
  expect(whyUnwritable('/srv/anteroom', failed('EIO'))).toBe('EIO')
})
