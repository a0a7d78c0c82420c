import { expect, it } from 'vitest'
import { cleanIds } from './event.ts'

it('an event names each record and patient once, by a UUID in lower case, whatever an answer has in the place of an id', () => {
  const [one, other] = ['0197a2bf-0a1b-7c2d-8e3f-405162738495', '0197a2c3-5d6e-7f80-9a1b-2c3d4e5f6071']
  expect(cleanIds([one.toUpperCase(), null, one, 'nobody', '', other, `${other} `])).toEqual([one, other])
})
