// Views that this person has named, kept in this browser under their user id.
import { NativeSelect } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { currentView, readViews, type View, withoutView, withView } from '../../rules/views.ts'
import { announce } from '../../ui/announce.tsx'
import { usePreference, writePreference } from '../../ui/preferences.ts'
import styles from './today.module.css'
import type { TodaySearch } from './today-search.ts'

// Loaded when it is opened: a dialog is a sixth of the first screen.
const SaveView = lazy(() => import('./save-view.tsx'))

interface Props {
  search: TodaySearch
  onChange: (next: Partial<TodaySearch>) => void
}

/** Values of the menu besides the names of views, which begin with `=`. */
const SAVE = '+'
const REMOVE = '-'
const named = (name: string) => `=${name}`

export function Views({ search, onChange }: Props) {
  const { user } = useSession()
  const place = `views:${user.id}`
  const views = readViews(usePreference(place))
  const [isSaving, setSaving] = useState(false)
  const { queue, doctor } = search
  const shown = currentView(views, { queue, doctor })
  const keep = (next: readonly View[]) => writePreference(place, JSON.stringify(next))

  function choose(value: string): void {
    if (value === SAVE) setSaving(true)
    else if (value === REMOVE) keep(withoutView(views, shown ?? ''))
    else {
      const view = views.find(({ name }) => named(name) === value)
      onChange({ queue: view?.queue, doctor: view?.doctor, text: undefined })
    }
  }
  function save(name: string): void {
    keep(withView(views, { name, queue, doctor }))
    setSaving(false)
    announce(`The view “${name.trim()}” was saved in this browser.`)
  }
  return (
    <>
      <NativeSelect
        aria-label="View"
        className={styles.filter}
        value={shown === undefined ? '' : named(shown)}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: '', label: views.length > 0 ? 'All visits' : 'Views' },
          ...views.map(({ name }) => ({ value: named(name), label: name })),
          ...(shown === undefined ? [{ value: SAVE, label: 'Save this view…' }] : []),
          ...(shown === undefined ? [] : [{ value: REMOVE, label: `Remove “${shown}”` }]),
        ]}
      />
      {isSaving && (
        <Suspense>
          <SaveView onSave={save} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  )
}
