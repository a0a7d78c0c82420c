import { Checkbox, Kbd, Modal, Table } from '@mantine/core'
import { setLetterKeys, useHasLetterKeys } from '../ui/keys.ts'

const keys: [keys: string[], what: string][] = [
  [['Ctrl K', '/'], 'Find a patient'],
  [['j', '↓'], 'Next visit'],
  [['k', '↑'], 'Previous visit'],
  [['Enter'], 'Open the visit'],
  [['c'], 'Check the visit again'],
  [['i'], 'Check in'],
  [['o'], 'Check out'],
  [['['], 'Previous day'],
  [[']'], 'Next day'],
  [['t'], 'Today'],
  [['w'], 'The week of this day'],
  [['Esc'], 'Close a panel or a dialog'],
  [['?'], 'Show keyboard shortcuts'],
]

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const isOn = useHasLetterKeys()
  return (
    <Modal opened onClose={onClose} title="Keys">
      <Table>
        <Table.Tbody>
          {keys.map(([names, what]) => (
            <Table.Tr key={what}>
              <Table.Th scope="row">
                {names.map((name) => (
                  <Kbd key={name} mr={4}>
                    {name}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Checkbox
        mt="md"
        label="Single-character shortcuts"
        description="Turn these off if you dictate text. Arrow keys, Enter and Ctrl K always work."
        checked={isOn}
        onChange={(event) => setLetterKeys(event.currentTarget.checked)}
      />
    </Modal>
  )
}
