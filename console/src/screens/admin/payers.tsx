import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { entered } from '../../rules/entered.ts'
import { capital } from '../../rules/names.ts'
import { checkSupport } from '../../rules/payers.ts'
import { Rows } from '../../ui/rows.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { Lead } from './lead.tsx'

const SHOWN = 30

export default function Payers() {
  const [text, setText] = useState('')
  const query = entered(useSettled(text))
  const { data, error, refetch } = useRead(
    'eligibilityChecks.payerSearch',
    { query: { query, page_size: SHOWN } },
    { enabled: query !== '' },
  )
  return (
    <>
      <Lead>The payer directory, with the ID to use in coverages. Search tolerates typing errors.</Lead>
      <TextInput
        label="Name, alias or ID"
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        maw="26rem"
        mb="md"
      />
      {error && <Problem error={error} retry={refetch} />}
      {query !== '' && !data && !error && <Loading what="payers" />}
      {data?.items.length === 0 && <Empty title="No payers found" />}
      {query !== '' && data && data.items.length > 0 && (
        <Rows label="Payers" heads={['Name', 'Payer ID', 'Eligibility checks', 'Other names', 'Other IDs']}>
          {data.items.map(({ payer }) => (
            <tr key={payer.stedi_id}>
              <td>{payer.display_name}</td>
              <td>{payer.primary_payer_id}</td>
              <td>{capital(checkSupport(payer))}</td>
              <td>{payer.names.slice(0, 5).join(', ')}</td>
              <td>{payer.aliases.slice(0, 8).join(', ')}</td>
            </tr>
          ))}
        </Rows>
      )}
    </>
  )
}
