// Payer names in answers are matched to the directory.
import { expect, test } from 'vitest'
import { testService } from '../../test/support/service.ts'
import { findPayerIds } from './payer-ids.ts'

const service = testService()

async function known(id: string, name: string, names: string[] = []): Promise<void> {
  await service.database.rows(
    `insert into payer (stedi_id, display_name, primary_payer_id, aliases, names, transaction_support)
      values ($1, $2, $3, '[]', $4::jsonb, '{}') on conflict do nothing`,
    [id, name, `${id}1`, JSON.stringify(names)],
  )
}

test('a name is found regardless of case, blanks and punctuation; a name shared by two payers is not', async () => {
  await known('HARBA', 'Harbor Mutual, Inc.', ['HM of Maine'])
  await known('HARBB', 'Twin Health')
  await known('HARBC', 'TWIN HEALTH')
  const caller = await service.newCaller()
  const names = ['HARBOR MUTUAL INC', 'hm-of-maine', 'TWIN HEALTH', 'NOBODY', 'HARBOR']
  const find = await findPayerIds(service.deps, caller.organizationId, names)
  expect(names.map(find)).toEqual(['HARBA1', 'HARBA1', undefined, undefined, undefined])
})
