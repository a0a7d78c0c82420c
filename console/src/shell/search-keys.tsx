// Ctrl-K and `/` open the patient search on every screen; `?` shows the keyboard shortcuts.
import { useEffect, useSyncExternalStore } from 'react'
import { useKeys } from '../ui/keys.ts'
import { late } from '../ui/late.tsx'
import { catchTyping, takeTyped } from './typed-ahead.ts'

const loadSearch = () => import('../screens/search/search-dialog.tsx')
const SearchDialog = late(loadSearch)
const SEARCH_AFTER_MS = 1_000
const KeyHelp = late(() => import('./key-help.tsx'))

type Shown = 'search' | 'keys' | undefined
let shown: Shown
const listeners = new Set<() => void>()

function show(next: Shown): void {
  if (next === 'search' && shown !== 'search') catchTyping()
  if (next !== 'search') takeTyped()
  shown = next
  for (const listener of listeners) listener()
}

export const openSearch = () => show('search')
export const openKeys = () => show('keys')
const close = () => show(undefined)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function SearchKeys() {
  const current = useSyncExternalStore(subscribe, () => shown)
  // Loaded once the first screen is there, so that a name typed right after the shortcut reaches the field.
  useEffect(() => {
    const timer = setTimeout(() => void loadSearch().catch(() => {}), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  useKeys({ 'mod+k': openSearch, '/': openSearch, '?': openKeys })
  return (
    <>
      {current === 'search' && <SearchDialog onClose={close} onMissing={close} />}
      {current === 'keys' && <KeyHelp onClose={close} onMissing={close} />}
    </>
  )
}
