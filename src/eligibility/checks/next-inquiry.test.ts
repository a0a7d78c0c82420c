import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { eligibilityRequestBody } from '../../../test/support/bodies.ts'
import { scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { testService } from '../../../test/support/service.ts'
import { startCheckWorker } from './check-worker.ts'

/** Resolves when answers may be read. */
let mayRead = () => {}
const reading = new Promise<void>((resolve) => {
  mayRead = resolve
})

vi.mock('../answers/read-answer.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../answers/read-answer.ts')>()
  const readAnswer: typeof original.readAnswer = async (...given) => {
    await reading
    return original.readAnswer(...given)
  }
  return { ...original, readAnswer }
})

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))

it('is sent as soon as the payer has answered the one before, while that answer is still being read', async () => {
  const { call } = await service.newCaller()
  const members = ['first', 'second']
  const requests = members.map((member_id) =>
    eligibilityRequestBody({ subscriber: { member_id, first_name: 'ANA', last_name: 'RIVERA' } }),
  )
  const { body } = await call('POST', '/eligibility-checks/v1/batch', requests)
  const worker = startCheckWorker(service.deps, { concurrency: 1, log: pino({ level: 'silent' }) })
  try {
    await vi.waitFor(() => expect(members.map(payer.countFor)).toEqual([1, 1]), { timeout: 30_000 })
    mayRead()
    await vi.waitFor(
      async () => {
        const answers = await call('GET', `/eligibility-checks/v1/batch/${body.batch_id}`)
        expect(answers.body.items).toHaveLength(2)
      },
      { timeout: 30_000 },
    )
  } finally {
    mayRead()
    await worker.stop()
  }
})
