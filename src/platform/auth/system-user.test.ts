import { expect, it } from 'vitest'
import { systemUserName, systemUserNameInTimeline } from './system-user.ts'

it('automated writes have the configured name everywhere', () => {
  const config = { SYSTEM_USER_NAME: 'Riverside Clinic' }
  expect(systemUserName(config)).toBe('Riverside Clinic')
  expect(systemUserNameInTimeline(config)).toBe('Riverside Clinic')
})

it('without one, the timeline has the name that published clients know, and everything else has our own', () => {
  expect(systemUserName({})).toBe('Anteroom')
  expect(systemUserNameInTimeline({})).toBe('Candid Health')
})
