import { describe, expect, it } from 'vitest'
import { somePayer } from '../../test/support/payer-names.ts'
import { testService } from '../../test/support/service.ts'
import type { StediJson } from '../clearinghouses/clearinghouse.ts'
import type { SystemDatabase } from '../platform/database/database.ts'
import { importPayers, readDirectoryVersion, readPayers } from './directory.ts'
import type { PayerUpdate } from './plan-import.ts'
import { syncPayers } from './sync.ts'

const service = testService()

/** Each test has its own empty directory. */
async function emptied() {
  await service.database.rows('delete from payer')
  return service.database
}

const into = (database: SystemDatabase, options?: { replace: boolean }) => (payers: PayerUpdate[]) =>
  importPayers(database, payers, options)

const none = { added: 0, changed: 0, unchanged: 0, removed: 0 }

describe('an import', () => {
  it('adds and changes payers, and a repeated import changes nothing, not even the version', async () => {
    const database = await emptied()
    const payers = [
      somePayer(1),
      somePayer(2, { payer_enrollment: { ptanRequired: true }, coverage_types: ['dental'] }),
    ]
    expect(await importPayers(database, payers)).toEqual({ ...none, added: 2 })
    const version = await readDirectoryVersion(database)
    expect(await importPayers(database, payers)).toEqual({ ...none, unchanged: 2 })
    expect(await readDirectoryVersion(database)).toBe(version)
    expect(await importPayers(database, [somePayer(1, { display_name: 'Harbor Health' })])).toEqual({
      ...none,
      changed: 1,
    })
    expect(await readDirectoryVersion(database)).not.toBe(version)
    const stored = await readPayers(database)
    expect(stored.map(({ has_made_up_id, ...payer }) => payer)).toEqual(
      [somePayer(1, { display_name: 'Harbor Health' }), payers[1]].toSorted((one, other) =>
        one!.stedi_id < other!.stedi_id ? -1 : 1,
      ),
    )
  })

  it('leaves fields without a column unchanged, and clears empty ones', async () => {
    const database = await emptied()
    await importPayers(database, [
      somePayer(1, { aliases: ['HARBR'], coverage_types: ['dental'], parent_payer_group: 'Quay' }),
    ])
    const { stedi_id, primary_payer_id } = somePayer(1)
    await importPayers(database, [
      { stedi_id, primary_payer_id, display_name: 'Harbor', parent_payer_group: undefined },
    ])
    const [payer] = await readPayers(database)
    expect(payer).toMatchObject({ display_name: 'Harbor', aliases: ['HARBR'], coverage_types: ['dental'] })
    expect(payer).not.toHaveProperty('parent_payer_group')
  })

  it('with replace removes payers that are not in the list', async () => {
    const database = await emptied()
    await importPayers(database, [somePayer(1), somePayer(2), somePayer(3)])
    const counts = await importPayers(database, [somePayer(2), somePayer(4)], { replace: true })
    expect(counts).toEqual({ added: 1, changed: 0, unchanged: 1, removed: 2 })
    const ids = (await readPayers(database)).map(({ primary_payer_id }) => primary_payer_id)
    expect(ids.sort()).toEqual([somePayer(2), somePayer(4)].map(({ primary_payer_id }) => primary_payer_id))
  })

  it('assigns a payer without a Stedi id one of five capital letters, the same every time', async () => {
    const database = await emptied()
    const harbor = { primary_payer_id: '60054', display_name: 'Harbor Health' }
    await importPayers(database, [harbor])
    const [first] = await readPayers(database)
    expect(first?.stedi_id).toMatch(/^[A-Z]{5}$/)
    expect(await importPayers(database, [harbor])).toEqual({ ...none, unchanged: 1 })
    await emptied()
    await importPayers(database, [harbor])
    expect((await readPayers(database))[0]?.stedi_id).toBe(first?.stedi_id)
  })

  it('matches a payer that has a Stedi id by its payer id, too', async () => {
    const database = await emptied()
    await importPayers(database, [somePayer(1, { primary_payer_id: '60054' })])
    expect(await importPayers(database, [{ primary_payer_id: '60054', display_name: 'Harbor' }])).toEqual({
      ...none,
      changed: 1,
    })
    expect(await readPayers(database)).toMatchObject([{ stedi_id: somePayer(1).stedi_id, display_name: 'Harbor' }])
  })

  it('replaces a made-up id by the Stedi id of a list', async () => {
    const database = await emptied()
    await importPayers(database, [{ primary_payer_id: '60054', display_name: 'Harbor', aliases: ['HARBR'] }])
    const update = { stedi_id: 'QQQQQ', primary_payer_id: '60054', display_name: 'Harbor Health' }
    expect(await importPayers(database, [update])).toEqual({ ...none, changed: 1 })
    expect(await readPayers(database)).toMatchObject([{ ...update, aliases: ['HARBR'], has_made_up_id: false }])
  })

  it('assigns a made-up id to the payer whose real id it is, and keeps both payers', async () => {
    const database = await emptied()
    await importPayers(database, [{ primary_payer_id: '60054', display_name: 'Harbor' }])
    const [{ stedi_id } = { stedi_id: '' }] = await readPayers(database)
    const quay = { stedi_id, primary_payer_id: '71234', display_name: 'Quay' }
    expect(await importPayers(database, [quay])).toEqual({ ...none, added: 1, changed: 1 })
    const payers = await readPayers(database)
    expect(payers.find((payer) => payer.stedi_id === stedi_id)).toMatchObject(quay)
    expect(payers.find((payer) => payer.stedi_id !== stedi_id)).toMatchObject({ primary_payer_id: '60054' })
  })

  it('keeps two payers that share a payer id separate', async () => {
    const database = await emptied()
    const shared = { primary_payer_id: '60054' }
    await importPayers(database, [somePayer(1, shared), somePayer(2, shared)])
    expect(await readPayers(database)).toHaveLength(2)
  })

  it('that runs concurrently with another loses nothing of either', async () => {
    const database = await emptied()
    const lists = [0, 1, 2, 3].map((list) => Array.from({ length: 50 }, (_, index) => somePayer(list * 25 + index)))
    await Promise.all(lists.map((list) => importPayers(database, list)))
    expect(await readPayers(database)).toHaveLength(125)
  })
})

describe('a clearinghouse’s own list', () => {
  const northwind = {
    stediId: 'YKHRB',
    displayName: 'Northwind Health Plan',
    primaryPayerId: '95655',
    aliases: ['NWH01'],
    names: ['Northwind'],
    transactionSupport: { eligibilityCheck: 'SUPPORTED', claimStatus: 'NOT_SUPPORTED' },
    enrollment: { ptanRequired: false },
    parentPayerGroupId: 'GTRSH',
    parentPayerGroupName: 'Northwind Group',
    coverageTypes: ['medical'],
    programs: [],
    avatarUrl: 'https://northwind.example/avatar.png',
  }
  async function* listOf(...payers: StediJson[]) {
    yield* payers
  }

  it('is stored with every field, and a payer missing from a later list is removed', async () => {
    const database = await emptied()
    expect(await syncPayers(listOf(northwind), into(database))).toEqual({ ...none, added: 1, unusable: 0 })
    expect(await readPayers(database)).toEqual([
      {
        stedi_id: 'YKHRB',
        has_made_up_id: false,
        display_name: 'Northwind Health Plan',
        primary_payer_id: '95655',
        aliases: ['NWH01'],
        names: ['Northwind'],
        transaction_support: { eligibilityCheck: 'SUPPORTED', claimStatus: 'NOT_SUPPORTED' },
        payer_enrollment: { ptanRequired: false },
        parent_payer_group: 'Northwind Group',
        coverage_types: ['medical'],
        programs: [],
      },
    ])
    const { coverageTypes: _, ...rest } = northwind
    expect(await syncPayers(listOf(rest), into(database))).toMatchObject({ changed: 1 })
    expect((await readPayers(database))[0]).not.toHaveProperty('coverage_types')
  })

  it('that breaks off changes nothing', async () => {
    const database = await emptied()
    async function* broken() {
      yield northwind
      throw new Error('the connection was lost')
    }
    await expect(syncPayers(broken(), into(database))).rejects.toThrow('the connection was lost')
    expect(await readPayers(database)).toEqual([])
  })

  it('that is empty changes nothing, not even with replace', async () => {
    const database = await emptied()
    await importPayers(database, [somePayer(1)])
    await expect(syncPayers(listOf(), into(database, { replace: true }))).rejects.toThrow('no payers')
    expect(await readPayers(database)).toHaveLength(1)
  })

  it('leaves out and counts invalid entries', async () => {
    const database = await emptied()
    const wrong = [{}, { ...northwind, stediId: 'abc' }, { ...northwind, stediId: 'ABCDE', displayName: 7 }]
    const odd = {
      ...northwind,
      displayName: 'North\u0000wind\ud800',
      aliases: 'none',
      names: ['Quay', null, 3],
      transactionSupport: [],
      enrollment: { note: 'a\u0000b' },
    }
    expect(await syncPayers(listOf(...wrong, odd), into(database))).toEqual({ ...none, added: 1, unusable: 3 })
    expect(await readPayers(database)).toMatchObject([
      { stedi_id: 'YKHRB', aliases: [], names: ['Quay'], transaction_support: {}, payer_enrollment: { note: 'a b' } },
    ])
  })
})
