import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'

export default function SaveView({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  return (
    <Dialog onClose={onClose} title="Save this view">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onSave(name)
        }}
      >
        <TextInput
          label="Name of the view"
          description="Saves the queue and the provider in this browser, for you only."
          maxLength={40}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button mt="sm" type="submit" disabled={name.trim() === ''}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}
