import { expect, it } from 'vitest'
import { sharedBuffersMb } from './embedded-cluster.ts'

it.each([
  [0.5, 128],
  [1, 128],
  [2, 256],
  [4, 512],
  [64, 512],
])('a database on a machine of %d GB keeps %d MB of its tables in memory', (gigabytes, megabytes) => {
  expect(sharedBuffersMb(gigabytes * 2 ** 30)).toBe(megabytes)
})
