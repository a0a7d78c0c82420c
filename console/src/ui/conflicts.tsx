import { Alert, Button, Table } from '@mantine/core'
import type { Conflict } from '../rules/fields.ts'

interface Props {
  conflicts: readonly Conflict[]
  /** The same user has made the change, in another window. */
  isOwn: boolean
  onTake: (name: string, text: string) => void
}

/** What somebody else changed in a record while it was edited here. */
export function Conflicts({ conflicts, isOwn, onTake }: Props) {
  const [who, place] = isOwn ? ['You', ' in another window'] : ['Another user', '']
  return (
    <Alert role="alert" color="yellow" title={`${who} changed this record${place} while you were editing`}>
      <p>
        What you typed here is kept. Fields that were only changed {isOwn ? 'there' : 'by the other user'} show the new
        value.
      </p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>{isOwn ? 'Saved in the other window' : 'Saved by another user'}</Table.Th>
            <Table.Th>{isOwn ? 'Typed here' : 'Yours'}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {conflicts.map(({ name, label, before, theirs, mine }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td>{before || '—'}</Table.Td>
              <Table.Td>{theirs || '—'}</Table.Td>
              <Table.Td>
                {mine === undefined ? (
                  'unchanged'
                ) : (
                  <>
                    {mine || '—'}{' '}
                    <Button size="compact-xs" variant="default" onClick={() => onTake(name, theirs)}>
                      {isOwn ? 'Use the saved value' : 'Use their value'}
                    </Button>
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Alert>
  )
}
