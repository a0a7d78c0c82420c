import { expect, it } from 'vitest'
import { explainListen } from './explain-listen.ts'

it.each([
  ['EAI_AGAIN', 'HOST cannot be looked up, because no name server answers: set it to an address'],
  ['EAFNOSUPPORT', 'HOST is not an address of this machine'],
  ['EADDRINUSE', 'port 4000 is in use: set PORT to another port'],
])('a port that cannot be opened (%s) is explained with the setting to change', (code, message) => {
  const error = Object.assign(new Error(code), { code })
  expect(explainListen(error, { host: 'HOST', port: 'PORT' }, 4000)).toMatchObject({ name: 'StartupError', message })
})
