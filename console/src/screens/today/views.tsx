// Views that this person has named, kept in this browser under their user id.
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { currentView, readViews, type View, withoutView, withView } from '../../rules/views.ts'
import { announce } from '../../ui/announce.tsx'
import { late } from '../../ui/late.tsx'
import { usePreference, writePreference } from '../../ui/preferences.ts'
import styles from './filters.module.css'
import type { TodaySearch } from './today-search.ts'

// Loaded when it is opened: a dialog is a sixth of the first screen.
const SaveView = late(() => import('./save-view.tsx'))

interface Props {
  search: TodaySearch
  onChange: (next: Partial<TodaySearch>) => void
}

/** Values of the menu: a view can have any name. */
const named = (name: string) => `=${name}`

export function Views({ search, onChange }: Props) {
  const { user } = useSession()
  const place = `views:${user.id}`
  const views = readViews(usePreference(place))
  const [isSaving, setSaving] = useState(false)
  const { queue, doctor } = search
  const shown = currentView(views, { queue, doctor })
  /** The day as it is first shown is not a view to save. */
  const isChosen = queue !== undefined || doctor !== undefined
  const keep = (next: readonly View[]) => writePreference(place, JSON.stringify(next))

  function choose(value: string): void {
    const view = views.find(({ name }) => named(name) === value)
    onChange({ queue: view?.queue, doctor: view?.doctor, text: undefined })
  }
  function save(name: string): void {
    keep(withView(views, { name, queue, doctor }))
    setSaving(false)
    announce(`The view “${name.trim()}” was saved in this browser.`)
  }
  function remove(name: string): void {
    keep(withoutView(views, name))
    announce(`The view “${name}” was removed.`)
  }
  return (
    <>
      {views.length > 0 && (
        <NativeSelect
          aria-label="View"
          className={styles.filter}
          value={shown === undefined ? '' : named(shown)}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[{ value: '', label: 'All visits' }, ...views.map(({ name }) => ({ value: named(name), label: name }))]}
        />
      )}
      {/* Not in the list, which acts at each arrow key (WCAG 2.2, 3.2.2). */}
      {shown === undefined ? (
        isChosen && (
          <Button variant="default" onClick={() => setSaving(true)}>
            Save this view…
          </Button>
        )
      ) : (
        <Button variant="default" onClick={() => remove(shown)}>
          Remove “{shown}”
        </Button>
      )}
      {isSaving && <SaveView onSave={save} onClose={() => setSaving(false)} onMissing={() => setSaving(false)} />}
    </>
  )
}
