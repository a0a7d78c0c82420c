// The payer of a record, chosen by search: IDs for eligibility differ from those on the card and those for claims.
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { payerText, readPayer } from '../../rules/coverages.ts'
import { entered } from '../../rules/entered.ts'
import { checkWarning } from '../../rules/payers.ts'
import { Picker } from '../../ui/picker.tsx'
import { Problem } from '../../ui/states.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import styles from './payer-field.module.css'

interface Props {
  /** `60054|Aetna`, empty while none is chosen. Source: `payerText`. */
  text: string
  onChange: (text: string) => void
  /** Also an ID that the directory does not have, as it is typed. */
  takesAnyId?: boolean
  /** What is searched for when the field opens. */
  named?: string
  error?: string | undefined
}

interface Choice {
  id: string
  name: string
  note: string
}

export function PayerField({ text, onChange, takesAnyId = false, named = '', error }: Props) {
  const { payer_id: id, payer_name: name } = readPayer(text)
  const [typed, setTyped] = useState(named)
  const settled = entered(useSettled(typed))
  const isAsked = settled.length >= 2
  const {
    data,
    error: failure,
    isFetching,
    isPlaceholderData,
    isError,
    refetch,
  } = useRead(
    'eligibilityChecks.payerSearch',
    { query: { query: settled, page_size: 6 } },
    { enabled: isAsked, placeholderData: keepPreviousData },
  )
  const found = isAsked && data ? data.items.map(({ payer }) => choiceOf(payer)) : []
  const isKnown = found.some((each) => each.id.toLowerCase() === settled.toLowerCase())
  const asTyped = takesAnyId && isAsked && data && !isKnown ? [{ id: settled, name: 'ID as typed', note: settled }] : []
  const isAnswered = isError || (data !== undefined && !isPlaceholderData)
  const isCurrent = settled === entered(typed) && (!isAsked || isAnswered)
  const nothing = isAsked && !isFetching && !isError && found.length === 0
  return (
    <div className={styles.payer}>
      <p>
        Payer: <strong>{id ? name : 'none chosen'}</strong> {id && <span className={styles.soft}>({id})</span>}
      </p>
      <Picker<Choice>
        label={id ? 'Change payer' : 'Find payer'}
        placeholder="Name or ID, for example Aetna"
        text={typed}
        onText={setTyped}
        items={[...found, ...asTyped]}
        isCurrent={isCurrent}
        isRequired={id === ''}
        error={error && (typed === '' ? error : 'Choose a payer from the list.')}
        keyOf={(each) => `${each.id} ${each.name}`}
        render={(each) => (
          <>
            <strong>{each.name}</strong> <span className={styles.soft}>{each.note}</span>
          </>
        )}
        onTake={(each) => {
          onChange(payerText(each.id, each.name))
          setTyped('')
        }}
        message={
          nothing
            ? 'No payers found. Ask your administrator: the operator of the service adds payers to the directory.'
            : undefined
        }
      />
      {isAsked && failure && <Problem error={failure} retry={refetch} />}
    </div>
  )
}

const choiceOf = (payer: Parameters<typeof checkWarning>[0] & { primary_payer_id: string; display_name: string }) => ({
  id: payer.primary_payer_id,
  name: payer.display_name,
  note: [payer.primary_payer_id, checkWarning(payer)].filter(Boolean).join(' · '),
})
