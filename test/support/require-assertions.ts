// A test without an assertion cannot fail: its list is empty, or its `expect` stands in a callback that never runs. Vitest counts the assertions of
// concurrent tests together (its own `requireAssertions` too), so those are left out.
import { beforeEach, expect } from 'vitest'

beforeEach(({ task }) => {
  if (!task.concurrent) expect.hasAssertions()
})
