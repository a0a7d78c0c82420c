import { expect, it } from 'vitest'
import { patientBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { newPerson, openPage } from '../../../test/support/people.ts'
import { testService } from '../../../test/support/service.ts'
import { systemUser } from '../../platform/auth/system-user.ts'

const service = testService()
const NAMES = '/anteroom/v1/users/names'

it('a caller that reads records gets the names of their authors, and no other data about them', async () => {
  const caller = await service.newCaller()
  const { organizationId } = caller
  const writer = await newPerson(service, { organizationId, role: 'front_desk', name: 'Ana Reyes' })
  const reader = await newPerson(service, { organizationId, role: 'read_only' })
  const { body: patient } = await (await openPage(service, writer)).call('POST', '/patients/v1', patientBody())
  const page = await openPage(service, reader)
  const reply = await page.call('GET', `${NAMES}?ids=${patient.updating_user_id}&ids=${systemUser.id}&ids=nobody`)
  expect(reply.body).toEqual([
    { id: systemUser.id, name: 'Anteroom' },
    { id: writer.id, name: 'Ana Reyes' },
  ])
})

it("another organization's users are not returned, and a call takes at most a hundred ids", async () => {
  const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
  const ana = await newPerson(service, { organizationId: caller.organizationId, role: 'front_desk' })
  expect((await stranger.call('GET', `${NAMES}?ids=${ana.id}`)).body).toEqual([])
  expectEnvelope(await caller.call('GET', NAMES), 400)
  expectEnvelope(await caller.call('GET', `${NAMES}?${'ids=x&'.repeat(101)}`), 400)
})
