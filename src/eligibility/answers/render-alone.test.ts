import { expect, it } from 'vitest'
import { renderAlone } from './render-alone.ts'

/** An answer that is rendered when the test says so. */
function answerOf(organizationId: string) {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const answer = { isBegun: false, finish: () => finish(), done: Promise.resolve() }
  answer.done = renderAlone(organizationId, () => {
    answer.isBegun = true
    return finished
  })
  return answer
}

it('large answers that an organization reads together are rendered one after the other, and others do not wait for them', async () => {
  const many = Array.from({ length: 60 }, () => answerOf('one'))
  const other = answerOf('other')
  await Promise.resolve()
  expect(many.filter(({ isBegun }) => isBegun)).toHaveLength(1)
  expect(other.isBegun).toBe(true)
  other.finish()
  for (const [index, { finish, done }] of many.entries()) {
    finish()
    await done
    expect(many.filter(({ isBegun }) => isBegun).length).toBeLessThanOrEqual(index + 2)
  }
  expect(many.every(({ isBegun }) => isBegun)).toBe(true)
})
