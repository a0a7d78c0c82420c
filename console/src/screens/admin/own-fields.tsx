import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { MetadataField, MetadataSchema } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { entered } from '../../rules/entered.ts'
import { announce } from '../../ui/announce.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useDraft, useDraftField } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { Opened } from '../../ui/opened.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Rows } from '../../ui/rows.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { Lead } from './lead.tsx'

const types: { value: MetadataField['type']; label: string }[] = [
  { value: 'STRING', label: 'Text' },
  { value: 'INTEGER', label: 'Whole number' },
  { value: 'DOUBLE', label: 'Number' },
  { value: 'BOOLEAN', label: 'Yes or no' },
  { value: 'ENUM', label: 'One of a list' },
]

export default function OwnFields() {
  const { data, error, refetch } = useRead('metadataSchemas.getAll', { query: { limit: 100 } })
  const remove = useWrite('metadataSchemas.deactivate', ['metadataSchemas.getAll'])
  const [editing, edit] = useState<string>()
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the custom fields" />
  const edited = data.items.find(({ id }) => id === editing)
  return (
    <>
      <Lead>Custom fields that your organization adds to records, in named groups.</Lead>
      {data.items.length === 0 ? (
        <Empty title="No custom fields yet" />
      ) : (
        <Rows label="Custom fields" heads={['Group', 'Fields', 'Actions']}>
          {data.items.map((schema) => (
            <tr key={schema.id}>
              <td>
                {schema.name}
                {schema.description && <div className={styles.soft}>{schema.description}</div>}
              </td>
              <td>
                {schema.fields.map(({ key, type, enum_values = [] }) => (
                  <div key={key}>
                    {key}: {types.find(({ value }) => value === type)?.label ?? type}
                    {enum_values.length > 0 && ` (${enum_values.join(', ')})`}
                  </div>
                ))}
              </td>
              <td>
                <div className={styles.actions}>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => edit(schema.id)}
                    aria-label={`Change ${schema.name}`}
                  >
                    Change
                  </Button>
                  <ConfirmButton
                    label="Remove"
                    name={`Remove ${schema.name}`}
                    question={`Remove ${schema.name}? Values in existing records are kept.`}
                    onYes={() =>
                      remove.mutate(
                        { path: { id: schema.id, version: schema.version } },
                        { onSuccess: () => announce(`${schema.name} is removed`) },
                      )
                    }
                  />
                </div>
              </td>
            </tr>
          ))}
        </Rows>
      )}
      {remove.error && <Problem error={remove.error} />}
      <Group key={edited?.id ?? 'new'} schema={edited} onDone={() => edit(undefined)} />
    </>
  )
}

interface Row {
  key: string
  type: MetadataField['type']
  values: string
}

const emptyRow = (): Row => ({ key: '', type: 'STRING', values: '' })

const rowsOf = (schema: MetadataSchema | undefined): Row[] =>
  schema?.fields.map(({ key, type, enum_values = [] }) => ({ key, type, values: enum_values.join(', ') })) ?? [
    emptyRow(),
  ]

const isNamed = ({ key }: Row) => entered(key) !== ''

/** The fields of rows with a name, as they are stored. */
const fieldsOf = (rows: readonly Row[]): MetadataField[] =>
  rows.filter(isNamed).map(({ key, type, values }) => ({
    key: entered(key),
    type,
    ...(type === 'ENUM' && { enum_values: values.split(',').map(entered).filter(Boolean) }),
  }))

/** Where a row is in the fields that are stored. */
const pathOf = (rows: readonly Row[], place: number) => `fields[${rows.slice(0, place).filter(isNamed).length}]`

function Group({ schema, onDone }: { schema: MetadataSchema | undefined; onDone: () => void }) {
  const of = schema ? `${schema.id} ${schema.version}` : 'new'
  const stored = schema?.fields.length ?? 0
  const [name, setName, resetName] = useDraftField(`group-name ${of}`, schema?.name ?? '')
  const { value: rows, set: setRows, clear } = useDraft<Row[]>(`group-fields ${of}`, () => rowsOf(schema))
  const giveUp = () => {
    resetName()
    clear()
    onDone()
  }
  const create = useWrite('metadataSchemas.create', ['metadataSchemas.getAll'])
  const update = useWrite('metadataSchemas.update', ['metadataSchemas.getAll'])
  const texts = rows.flatMap((row, place) =>
    isNamed(row)
      ? [
          [`${pathOf(rows, place)}.key`, row.key],
          [`${pathOf(rows, place)}.enum_values`, row.values],
        ]
      : [],
  )
  const { form, errorOf, rest } = useRefusals(schema ? update : create, { name, ...Object.fromEntries(texts) })
  const change = (place: number, next: Partial<Row>) =>
    setRows(rows.map((row, index) => (index === place ? { ...row, ...next } : row)))

  function save() {
    const body = {
      ...(schema?.description !== undefined && { description: schema.description }),
      name: entered(name),
      fields: fieldsOf(rows),
    }
    const onSuccess = () => {
      announce(`${entered(name)} is saved`)
      setRows(rowsOf(schema))
      giveUp()
    }
    if (schema) update.mutate({ path: { id: schema.id, version: schema.version }, body }, { onSuccess })
    else create.mutate({ body }, { onSuccess })
  }

  return (
    <Form ref={form} className={styles.box} onSubmit={save}>
      {schema ? <Opened>Change {schema.name}</Opened> : <h2>New group</h2>}
      <TextInput
        label="Group name"
        required
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
        mb="sm"
        maw="26rem"
      />
      {schema && (
        <p className={styles.soft}>
          Stored fields cannot be changed, because records may have values for them. You can add fields and values.
        </p>
      )}
      {rows.map((row, place) => (
        <FieldRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position until it is saved
          key={place}
          label={`Field ${place + 1}`}
          row={row}
          isStored={place < stored}
          errorOf={(of) => (isNamed(row) ? errorOf(`${pathOf(rows, place)}.${of}`) : undefined)}
          onChange={(next) => change(place, next)}
        />
      ))}
      {rest !== undefined && <Problem error={rest} />}
      <div className={styles.actions}>
        <Button type="submit" mt="sm" loading={create.isPending || update.isPending}>
          Save group
        </Button>
        <Button variant="default" mt="sm" onClick={() => setRows([...rows, emptyRow()])}>
          Add a field
        </Button>
        {schema && (
          <Button variant="default" mt="sm" onClick={giveUp}>
            Cancel
          </Button>
        )}
      </div>
    </Form>
  )
}

interface FieldRowProps {
  label: string
  row: Row
  isStored: boolean
  errorOf: (of: 'key' | 'enum_values') => string | undefined
  onChange: (next: Partial<Row>) => void
}

function FieldRow({ label, row, isStored, errorOf, onChange }: FieldRowProps) {
  return (
    <div className={styles.form}>
      <TextInput
        label={label}
        value={row.key}
        readOnly={isStored}
        error={errorOf('key')}
        onChange={(event) => onChange({ key: event.target.value })}
      />
      <NativeSelect
        label="Kind"
        aria-label={`Kind of ${label.toLowerCase()}`}
        data={types}
        value={row.type}
        disabled={isStored}
        onChange={(event) => onChange({ type: event.target.value as Row['type'] })}
      />
      {row.type === 'ENUM' && (
        <TextInput
          label="Values, separated by commas"
          aria-label={`Values, separated by commas, of ${label.toLowerCase()}`}
          value={row.values}
          error={errorOf('enum_values')}
          onChange={(event) => onChange({ values: event.target.value })}
        />
      )}
    </div>
  )
}
