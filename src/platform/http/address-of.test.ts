import { expect, it } from 'vitest'
import { addressOf } from './address-of.ts'

it.each([
  ['127.0.0.1', 'http://127.0.0.1:4000'],
  ['localhost', 'http://localhost:4000'],
  ['clinic.example', 'http://clinic.example:4000'],
  ['0.0.0.0', 'http://127.0.0.1:4000'],
  ['0', 'http://127.0.0.1:4000'],
  ['::', 'http://[::1]:4000'],
  ['0:0:0:0:0:0:0:0', 'http://[::1]:4000'],
  ['::1', 'http://[::1]:4000'],
  ['fd00::7', 'http://[fd00::7]:4000'],
  ['fe80::1%eth0', 'http://[fe80::1%eth0]:4000'],
])('a server that listens on %s is said to answer on %s, which a browser can open', (host, address) => {
  expect(addressOf('http', host, 4000)).toBe(address)
})
