// The payers that a file gives by name: an exact name of the directory is chosen, the others by the user, whose choice is remembered.
import { NativeSelect } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { StediPayer } from '../../api/generated.ts'
import { read } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import {
  addChosen,
  type ChosenPayer,
  isPayerId,
  NAMES_MAX,
  type NamedPayer,
  payerNamed,
  plainName,
  readChosen,
} from '../../rules/batch-payers.ts'
import { checkWarning } from '../../rules/payers.ts'
import { readPreference, usePreference, writePreference } from '../../ui/preferences.ts'
import { Rows } from '../../ui/rows.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './batch.module.css'

const PROPOSED = 8

interface FilePayer extends NamedPayer {
  chosen: ChosenPayer | undefined
  options: ChosenPayer[]
}

interface FilePayers {
  payers: FilePayer[]
  /** The ID itself, or the ID of the payer that is chosen for a name. */
  payerIdOf: (text: string) => string | undefined
  choose: (text: string, payer: ChosenPayer) => void
  /** Why the directory could not be asked about some of them. */
  error: unknown
  retry: () => void
}

export function useFilePayers(names: readonly NamedPayer[]): FilePayers {
  const preference = `file-payers:${useSession().user.id}`
  const remembered = readChosen(usePreference(preference))
  const found = useQueries({
    queries: names.map(({ text }) =>
      read('eligibilityChecks.payerSearch', { query: { query: text, page_size: PROPOSED } }),
    ),
  })
  const payers = names.map((named, index): FilePayer => {
    const candidates = found[index]?.data?.items.map(({ payer }) => payer) ?? []
    const exact = payerNamed(named.text, candidates)
    const chosen = remembered[plainName(named.text)] ?? (exact && toChosen(exact))
    const others = candidates.map(toChosen).filter(({ id }) => id !== chosen?.id)
    return { ...named, chosen, options: [...(chosen?.id ? [chosen] : []), ...others] }
  })
  const ids = new Map(payers.map(({ text, chosen }) => [plainName(text), chosen?.id]))
  return {
    payers,
    payerIdOf: (text) => (isPayerId(text) ? text : ids.get(plainName(text)) || undefined),
    error: found.find((each) => each.error)?.error,
    retry: () => void Promise.all(found.filter((each) => each.error).map((each) => each.refetch())),
    choose: (text, payer) => writePreference(preference, addChosen(readPreference(preference), text, payer)),
  }
}

const toChosen = (payer: StediPayer): ChosenPayer => ({
  id: payer.primary_payer_id,
  name: [payer.display_name, checkWarning(payer)].filter(Boolean).join(', '),
})

export function PayersOfFile({ payers, choose, error, retry }: FilePayers) {
  if (payers.length === 0) return null
  return (
    <section className={styles.box}>
      <h2>Payers in the file</h2>
      <p className={styles.soft}>
        The file has names where payer IDs are needed. Choose the payer for each name; the choice is remembered. If the
        payer is not listed, write its ID into the file.
      </p>
      {error != null && <Problem error={error} retry={retry} />}
      <Rows label="Payers in the file" heads={['Name in the file', 'Rows', 'Payer']}>
        {payers.map(({ text, rows, chosen, options }) => (
          <tr key={text}>
            <td>{text}</td>
            <td>{rows}</td>
            <td>
              <NativeSelect
                aria-label={`Payer for ${text}`}
                data={[
                  { value: '', label: 'None (these rows are left out)' },
                  ...options.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
                ]}
                value={chosen?.id ?? ''}
                onChange={({ target: { value } }) =>
                  choose(text, options.find(({ id }) => id === value) ?? { id: '', name: '' })
                }
              />
            </td>
          </tr>
        ))}
      </Rows>
      {payers.length === NAMES_MAX && (
        <p className={styles.soft}>
          Only the {NAMES_MAX} most frequent names are listed. Is the right column chosen for the payer?
        </p>
      )}
    </section>
  )
}
