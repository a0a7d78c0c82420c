import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { eligibilityRequestBody } from '../../../test/support/bodies.ts'
import { ACTIVE, scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { testService } from '../../../test/support/service.ts'
import { startCheckWorker } from './check-worker.ts'

/** Where answers wait before they are read. */
let reading: Promise<void>
let mayRead = () => {}
let isBeingRead = () => {}

function holdReading(): Promise<void> {
  reading = new Promise((resolve) => {
    mayRead = resolve
  })
  return new Promise((resolve) => {
    isBeingRead = resolve
  })
}

vi.mock('../answers/read-answer.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../answers/read-answer.ts')>()
  const readAnswer: typeof original.readAnswer = async (...given) => {
    isBeingRead()
    await reading
    return original.readAnswer(...given)
  }
  return { ...original, readAnswer }
})

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))

/** Sends a batch of two to a worker with one place, and returns a function that waits for both answers. */
async function askBoth(members: string[]) {
  const { call } = await service.newCaller()
  const requests = members.map((member_id) =>
    eligibilityRequestBody({ subscriber: { member_id, first_name: 'ANA', last_name: 'RIVERA' } }),
  )
  const { body } = await call('POST', '/eligibility-checks/v1/batch', requests)
  const worker = startCheckWorker(service.deps, { concurrency: 1, log: pino({ level: 'silent' }) })
  const poll = () => call('GET', `/eligibility-checks/v1/batch/${body.batch_id}`)
  const answered = async () => {
    mayRead()
    await vi.waitFor(async () => expect((await poll()).body.items).toHaveLength(2), { timeout: 30_000 })
  }
  const stop = async () => {
    mayRead()
    await worker.stop()
  }
  return { poll, answered, stop }
}

it('is sent as soon as the payer has answered the one before, while that answer is still being read', async () => {
  const members = ['first', 'second']
  holdReading()
  const { answered, stop } = await askBoth(members)
  try {
    await vi.waitFor(() => expect(members.map(payer.countFor)).toEqual([1, 1]), { timeout: 30_000 })
    await answered()
  } finally {
    await stop()
  }
})

it('waits until a large answer is read, so that not many of them are in memory at once', async () => {
  const members = ['large 1', 'large 2']
  for (const member of members) payer.answers.set(member, `${ACTIVE}${'MSG*PLAN BENEFITS APPLY~'.repeat(2_500)}`)
  const beingRead = holdReading()
  const { poll, answered, stop } = await askBoth(members)
  try {
    await beingRead
    // Longer than the second inquiry would need.
    for (let round = 0; round < 10; round++) await poll()
    expect(members.map(payer.countFor).sort()).toEqual([0, 1])
    await answered()
    expect(members.map(payer.countFor)).toEqual([1, 1])
  } finally {
    await stop()
  }
})
