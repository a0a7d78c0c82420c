// Ctrl-K and `/` open the search for a patient from every screen; `?` shows the keys.
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useKeys } from '../ui/keys.ts'

const SearchDialog = lazy(() => import('../screens/search/search-dialog.tsx'))
const KeyHelp = lazy(() => import('./key-help.tsx'))

type Shown = 'search' | 'keys' | undefined
let shown: Shown
const listeners = new Set<() => void>()

function show(next: Shown): void {
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
  useKeys({ 'mod+k': openSearch, '/': openSearch, '?': openKeys })
  return (
    <Suspense>
      {current === 'search' && <SearchDialog onClose={close} />}
      {current === 'keys' && <KeyHelp onClose={close} />}
    </Suspense>
  )
}
