import { afterEach, expect, it, vi } from 'vitest'
import { patientBody } from '../../test/support/bodies.ts'
import { testService } from '../../test/support/service.ts'
import type { Statement } from '../platform/database/database.ts'

const service = testService()
afterEach(() => {
  vi.restoreAllMocks()
})

it.each([
  ['DELETE', 'deactivates', 1, true],
  ['PATCH', 'reactivates', 2, false],
] as const)(
  '%s with the version that another caller writes at the same moment %s that version when it says so',
  async (method, _does, version, deactivated) => {
    const { call } = await service.newCaller()
    const { body: made } = await call('POST', '/patients/v1', patientBody())
    const path = `/patients/v1/${made.id}`
    if (version === 2) await call('DELETE', `${path}/2`)
    const { database } = service.deps
    const { row } = database
    let isFirst = true
    vi.spyOn(database, 'row').mockImplementation(async (statement, ...rest) => {
      const found = await row(statement, ...rest)
      if (isFirst && (statement as Statement).name === 'patient_set_deactivated') {
        isFirst = false
        // Not found yet: the version is written before it is looked for again.
        expect(found).toBeUndefined()
        expect((await call('PUT', `${path}/${version + 1}`, patientBody({ language: 'en' }))).status).toBe(200)
      }
      return found
    })
    expect((await call(method, `${path}/${version + 2}`)).status).toBe(200)
    expect(isFirst).toBe(false)
    expect((await call('GET', path)).body).toMatchObject({ version: version + 2, deactivated })
  },
)
