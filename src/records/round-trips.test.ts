// The number of statements that an operation takes. decisions/0037-group-commit.md
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { patientBody } from '../../test/support/bodies.ts'
import { kindsWith, operate, pathVersion } from '../../test/support/operations.ts'
import { sentBy } from '../../test/support/sent-statements.ts'
import { testService } from '../../test/support/service.ts'

const service = testService()
const BUSY = ['patient', 'coverage', 'appointment']

describe.each(kindsWith('create', 'update').filter(({ name }) => BUSY.includes(name)))('a PUT of a $name', (kind) => {
  it('sends two statements: one reads the version that it replaces, one writes', async () => {
    const caller = await service.newCaller()
    const body = await kind.make(caller)
    const { body: made } = await operate(caller, kind.endpoint('create'), { body })
    const params = { id: made.id, version: pathVersion(kind, 'update', 1) }
    const changed = kind.change(body, 'once')
    const { result, names } = await sentBy(service.deps.database, () =>
      operate(caller, kind.endpoint('update'), { params, body: changed }),
    )
    expect(result.status, result.text).toBe(200)
    expect(names.filter((name) => !/^audit_/.test(name))).toEqual([`${kind.name}_read`, `${kind.name}_update_free`])
  })
})

describe('a history', () => {
  const historyOf = async (versions: number, text = '') => {
    const caller = await service.newCaller()
    const { body: made } = await caller.call('POST', '/patients/v1', patientBody({ language: text }))
    for (let version = 2; version <= versions; version++) {
      const changed = patientBody({ language: `${version} ${text}` })
      expect((await caller.call('PUT', `/patients/v1/${made.id}/${version}`, changed)).status).toBe(200)
    }
    const { result, names } = await sentBy(service.deps.database, () =>
      caller.call('GET', `/patients/v1/${made.id}/history`),
    )
    expect(result.body.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: versions }, (_, index) => index + 1),
    )
    expect(result.body.at(-1)).toEqual((await caller.call('GET', `/patients/v1/${made.id}`)).body)
    return names
  }

  it('of a few short versions is read like a single record', async () => {
    expect(await historyOf(3)).toEqual(['patient_short_history'])
  })

  it.each([
    ['many versions', 9, ''],
    ['few long ones', 2, randomBytes(12_000).toString('base64')],
  ])('of %s is complete as well', async (_what, versions, text) => {
    expect(await historyOf(versions, text)).toEqual(['patient_short_history', 'patient_history'])
  })
})

describe('a create of a patient', () => {
  const statementsOf = async (query: string, more: Record<string, unknown> = {}) => {
    const caller = await service.newCaller()
    const { result, names } = await sentBy(service.deps.database, () =>
      caller.call('POST', `/patients/v1${query}`, patientBody(more)),
    )
    expect(result.status, result.text).toBe(200)
    return names.filter((name) => !/^(audit_|mrn_take$)/.test(name))
  }

  it('sends the write alone when the caller skips the duplicate check and names nothing that must be unique', async () => {
    expect(await statementsOf('?skip_duplicate_check=true')).toEqual(['patient_create'])
  })

  it('looks for an external id that is in use even so', async () => {
    const external_provenance = { system_name: 'EHR', external_id: '7' }
    const sent = await statementsOf('?skip_duplicate_check=true', { external_provenance })
    expect(sent).toEqual(['patient_taken', 'patient_create'])
  })
})
