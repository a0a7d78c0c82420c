// Creates a batch of checks from a file of patients.

import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { type ColumnName, columnLabels, columns, guessMapping, type Mapping } from '../../rules/batch-columns.ts'
import {
  type CsvFile,
  cellOf,
  decodeCsv,
  exampleCsv,
  faultsIn,
  leftOut,
  linesInWords,
  type Row,
  readCsv,
  readRows,
  shortYears,
  withHeaders,
} from '../../rules/batch-file.ts'
import { namesIn } from '../../rules/batch-payers.ts'
import { csvOf } from '../../rules/batch-results.ts'
import { formatInstant, shortDay } from '../../rules/days.ts'
import { enteredNpi } from '../../rules/entered.ts'
import { addRecent, readRecent } from '../../rules/recent-batches.ts'
import { useDraftField } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { type Decision, MaybeStored } from '../../ui/lost-attempt.tsx'
import { readPreference, usePreference, writePreference } from '../../ui/preferences.ts'
import { Rows } from '../../ui/rows.tsx'
import { saveCsv } from '../../ui/save-file.ts'
import { Problem } from '../../ui/states.tsx'
import styles from './batch.module.css'
import { PayersOfFile, useFilePayers } from './file-payers.tsx'
import { useSendBatch } from './use-send-batch.ts'

const PREVIEWED = 5
const FAULTS_SHOWN = 10
/** The draft that is cleared when a batch was answered. */
const NPI = 'batch-npi'

/** Keeps the chosen file while the user visits another screen. In memory only, because it names patients; signing out reloads the page. */
let kept: ChosenFile | undefined

/** `number`: a corrected file may have the name and the rows of the one before. */
type ChosenFile = CsvFile & { name: string; number: number }
let chosenFiles = 0

export function NewBatch() {
  const [file, setFile] = useState(kept)
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    document.title = 'Batch · Anteroom'
  }, [])

  function become(name: string, read: CsvFile) {
    kept = { ...read, name, number: chosenFiles++ }
    setFile(kept)
  }
  async function take(chosen: File | undefined) {
    if (!chosen) return
    try {
      become(chosen.name, readCsv(decodeCsv(await chosen.arrayBuffer())))
      setFault(undefined)
    } catch (error) {
      kept = undefined
      setFile(undefined)
      setFault((error as Error).message)
    }
  }

  return (
    <>
      <h1>Check a list of patients</h1>
      <p className={styles.lead}>
        Choose a CSV file with a row for each patient: at least the payer’s ID or name, the patient’s name, and a member
        ID or a birth date. The file is read here: payer names are looked up in the directory, and only what is checked
        is sent.
      </p>
      <div className={styles.box}>
        <label className={styles.file}>
          <span>CSV file</span>
          <input
            type="file"
            accept=".csv,text/csv,text/plain"
            // The browser says nothing when the same file, corrected, is chosen again.
            onClick={(event) => {
              event.currentTarget.value = ''
            }}
            onChange={(event) => take(event.target.files?.[0])}
          />
        </label>
        {file && <p className={styles.soft}>Chosen: {file.name}</p>}
        {fault && (
          <p role="alert" className={styles.fault}>
            {fault}
          </p>
        )}
        <p className={styles.soft}>
          Columns are recognized by their headers, and you can choose them before anything is sent.{' '}
          <Button size="compact-xs" variant="default" onClick={() => saveCsv('batch-example.csv', exampleCsv)}>
            Save an example file
          </Button>
        </p>
      </div>
      {!file && <Recent />}
      {file && (
        <Mapped key={file.number} file={file} onHeaders={(has) => become(file.name, withHeaders(file.lines, has))} />
      )}
    </>
  )
}

function Recent() {
  const { user, organization } = useSession()
  const batches = readRecent(usePreference(recentOf(user.id)))
  if (batches.length === 0) return null
  return (
    <section className={styles.box} aria-labelledby="recent">
      <h2 id="recent">Recent batches</h2>
      <ul className={styles.recent}>
        {batches.map(({ id, of, at }) => (
          <li key={id}>
            <Link to="/batch/$batchId" params={{ batchId: id }} search={{ of }}>
              {formatInstant(at, organization.time_zone)}
            </Link>
            , {of} {of === 1 ? 'patient' : 'patients'}
          </li>
        ))}
      </ul>
    </section>
  )
}

const recentOf = (userId: string) => `batches:${userId}`

function Mapped({ file, onHeaders }: { file: CsvFile; onHeaders: (has: boolean) => void }) {
  const [mapping, setMapping, resetMapping] = useDraftField<Mapping>(
    `batch-columns ${file.headers.join()}`,
    useMemo(() => guessMapping(file.headers), [file]),
  )
  const { user, organization } = useSession()
  const [npi, setNpi, resetNpi] = useDraftField(NPI, organization.npi ?? '')
  const navigate = useNavigate()
  const { send, isAsked, isSending, error, earlier } = useSendBatch(NPI)
  const names = useMemo(() => namesIn(file.rows, mapping.payer), [file, mapping.payer])
  const filePayers = useFilePayers(names)
  const rows = readRows(file.rows, { mapping, npi, payerIdOf: filePayers.payerIdOf })
  const centuries = shortYears(file.rows, mapping)
  const requests = rows.flatMap(({ request }) => request ?? [])
  const isNpiMissing = npi === '' && file.rows.some(({ cells }) => cellOf(cells, mapping.npi) === '')
  const options = [
    { value: '-1', label: 'Not in the file' },
    ...columnLabels(file.headers, file.rows[0]?.cells).map((label, index) => ({ value: `${index}`, label })),
  ]
  const map = (name: ColumnName, place: string) => setMapping({ ...mapping, [name]: Number(place) })

  async function start(decision?: Decision) {
    const batch = await send(requests, decision)
    if (!batch) return
    const { id, of } = batch
    kept = undefined
    resetMapping()
    resetNpi()
    const recent = addRecent(readPreference(recentOf(user.id)), { ...batch, at: new Date().toISOString() })
    writePreference(recentOf(user.id), recent)
    navigate({ to: '/batch/$batchId', params: { batchId: id }, search: { of } })
  }

  return (
    <Form onSubmit={() => start()}>
      <section className={styles.box}>
        <h2>Columns</h2>
        <Checkbox
          mb="sm"
          label="The first row contains the column headers"
          checked={file.hasHeaders}
          onChange={(event) => onHeaders(event.currentTarget.checked)}
        />
        <div className={styles.form}>
          {columns.map(({ name, label }) => (
            <NativeSelect
              key={name}
              label={label}
              data={options}
              value={`${mapping[name]}`}
              onChange={(event) => map(name, event.target.value)}
            />
          ))}
          <TextInput
            label="NPI for rows without one"
            inputMode="numeric"
            error={isNpiMissing && 'An NPI is required: every inquiry names a provider.'}
            value={npi}
            onChange={(event) => setNpi(enteredNpi(event.target.value))}
          />
        </div>
      </section>
      <PayersOfFile {...filePayers} />
      <section className={styles.box}>
        <h2>Preview of the first rows</h2>
        {centuries && <p className={styles.soft}>{centuries}</p>}
        <Preview rows={rows.slice(0, PREVIEWED)} />
        <Faults file={file} rows={rows} />
      </section>
      {error !== undefined && <Problem error={error} />}
      {isAsked && <MaybeStored onDecide={start} words={wordsOf(earlier)} />}
      <Button type="submit" loading={isSending} disabled={requests.length === 0}>
        Check {requests.length} {requests.length === 1 ? 'patient' : 'patients'}
      </Button>
    </Form>
  )
}

function wordsOf({ patients, isKept }: { patients: number; isKept: boolean }) {
  const twice =
    'Its answer was lost, and this list differs from it. If both are checked, payers are asked twice, which clearinghouses may charge for.'
  const find = 'To find out, choose the earlier file again, unchanged, and press “Check”: it is not checked twice.'
  return {
    title: `An earlier list of ${patients} ${patients === 1 ? 'patient' : 'patients'} may have been sent`,
    question: isKept ? twice : `${twice} ${find}`,
    same: isKept ? 'Only the earlier list' : undefined,
    another: 'This list, too',
  }
}

function Preview({ rows }: { rows: readonly Row[] }) {
  return (
    <Rows label="Preview" heads={['Row', 'Patient', 'Birth date', 'Payer', 'Member ID', 'Date of service']}>
      {rows.map(({ line, request, faults }) => (
        <tr key={line}>
          <td>{line}</td>
          {request ? (
            <>
              <td>
                {request.subscriber.last_name}, {request.subscriber.first_name}
              </td>
              <td>{shortDay(request.subscriber.date_of_birth)}</td>
              <td>{request.payer_id}</td>
              <td>{request.subscriber.member_id}</td>
              <td>{shortDay(request.encounter?.date_of_service) || 'Today'}</td>
            </>
          ) : (
            <td colSpan={5} className={styles.fault}>
              {faults.join('. ')}
            </td>
          )}
        </tr>
      ))}
    </Rows>
  )
}

function Faults({ file, rows }: { file: CsvFile; rows: readonly Row[] }) {
  const faulty = rows.filter(({ faults }) => faults.length > 0)
  if (faulty.length === 0) return null
  const reasons = faultsIn(faulty)
  return (
    <div>
      <p role="status" className={styles.fault}>
        {faulty.length} of {rows.length} rows cannot be checked and are left out:
      </p>
      <ul>
        {reasons.slice(0, FAULTS_SHOWN).map(({ fault, lines }) => (
          <li key={fault}>
            {fault}: {linesInWords(lines)}
          </li>
        ))}
        {reasons.length > FAULTS_SHOWN && <li>and {reasons.length - FAULTS_SHOWN} other reasons</li>}
      </ul>
      <Button size="xs" variant="default" onClick={() => saveCsv('left-out.csv', csvOf(leftOut(file, rows)))}>
        Save these rows as CSV
      </Button>
    </div>
  )
}
