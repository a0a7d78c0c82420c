import { Button, Checkbox, Kbd, Table } from '@mantine/core'
import { useState } from 'react'
import { assignKey, isLetterKey, keyOf, type LetterKey, letterKeys } from '../rules/keymap.ts'
import { announce } from '../ui/announce.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { setKeyMap, setLetterKeys, useHasLetterKeys, useKeyMap } from '../ui/keys.ts'

/** Keys that cannot be remapped, beside the characters that can. */
const others: Partial<Record<LetterKey, string>> = { '/': 'Ctrl K', j: '↓', k: '↑' }
const fixed = [
  ['Enter', 'Open the visit'],
  ['Esc', 'Close a panel or a dialog'],
] as const

/** Keys, and what changes them, are as wide as they are: what the keys do gets the rest. */
const ON_ONE_LINE = { whiteSpace: 'nowrap', overflowWrap: 'normal' } as const

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const isOn = useHasLetterKeys()
  const map = useKeyMap()
  const [changing, change] = useState<LetterKey>()
  const [conflict, setConflict] = useState<string>()
  const names = Object.keys(letterKeys) as LetterKey[]

  function press(name: LetterKey, pressed: string) {
    const next = assignKey(name, pressed, map)
    if ('takenBy' in next) {
      return setConflict(`“${pressed}” is the key of “${letterKeys[next.takenBy]}”. Press another key, or Esc.`)
    }
    setKeyMap(next)
    stop()
    announce(`The key of “${letterKeys[name]}” is now ${pressed}.`)
  }
  function stop() {
    change(undefined)
    setConflict(undefined)
  }

  return (
    <Dialog onClose={onClose} title="Keys" closeOnEscape={changing === undefined}>
      <Table>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" style={ON_ONE_LINE}>
                {others[name] && <Kbd mr={4}>{others[name]}</Kbd>}
                <Kbd>{keyOf(name, map)}</Kbd>
              </Table.Th>
              <Table.Td>{letterKeys[name]}</Table.Td>
              <Table.Td>
                <Button
                  size="compact-sm"
                  variant="default"
                  styles={{ label: ON_ONE_LINE }}
                  aria-label={changing === name ? undefined : `Change the key of “${letterKeys[name]}”`}
                  onClick={() => change(name)}
                  onBlur={stop}
                  onKeyDown={(event) => {
                    if (changing !== name || event.ctrlKey || event.metaKey || event.altKey) return
                    if (event.key === 'Escape') stop()
                    if (!isLetterKey(event.key)) return
                    event.preventDefault()
                    press(name, event.key)
                  }}
                >
                  {changing === name ? 'Press a key' : 'Change'}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
          {fixed.map(([key, what]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td colSpan={2}>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p role="alert">{conflict}</p>
      {Object.keys(map).length > 0 && (
        <Button variant="default" onClick={() => setKeyMap({})}>
          Restore the default keys
        </Button>
      )}
      <Checkbox
        mt="md"
        label="Single-character shortcuts"
        description="Turn these off if you dictate text. Arrow keys, Enter and Ctrl K always work."
        checked={isOn}
        onChange={(event) => setLetterKeys(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
