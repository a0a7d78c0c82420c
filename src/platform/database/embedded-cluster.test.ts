import { expect, it } from 'vitest'
import { sharedBuffersMb } from './embedded-cluster.ts'

it.each([
  [0.5, 128],
  [1, 128],
  [2, 256],
  [4, 512],
  [64, 512],
])('the embedded database on a machine of %d GB gets %d MB of shared buffers', (gigabytes, megabytes) => {
  expect(sharedBuffersMb(gigabytes * 2 ** 30)).toBe(megabytes)
})
