import { expect, it } from 'vitest'
import { callerAddress, callerSite } from './caller-address.ts'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b:0:1::192.0.2.1', '64:ff9b:0:1::/64'],
  ['no address', 'unknown'],
  ['x'.repeat(10_000), 'unknown'],
])('%s is counted as %s', (ip, counted) => {
  expect(callerAddress(ip)).toBe(counted)
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ['2001:db8:2:2::1', '2001:db8:2::/48'],
  ['::1', '0:0:0::/48'],
  ['no address', 'unknown'],
])('%s shares places and turns as %s', (ip, shares) => {
  expect(callerSite(ip)).toBe(shares)
})
