// The number of statements that a write takes. decisions/0037-group-commit.md
import { describe, expect, it } from 'vitest'
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
