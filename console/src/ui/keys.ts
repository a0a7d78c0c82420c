// Keyboard shortcuts of a screen. Single-character shortcuts can be switched off (WCAG 2.1.4), and none acts while the user types or a
// dialog is open.
import { useEffect, useRef } from 'react'
import { sessionState } from '../api/session-state.ts'
import { isLetterKey, type KeyMap, readKeyMap, shortcutOf } from '../rules/keymap.ts'
import { OPEN_DIALOG } from './open-dialog.ts'
import { readPreference, usePreference, writePreference } from './preferences.ts'

type Keys = Record<string, (event: KeyboardEvent) => void>

const PREFERENCE = 'single-letter-keys'

export const useHasLetterKeys = () => usePreference(PREFERENCE) !== 'off'
export const setLetterKeys = (isOn: boolean) => writePreference(PREFERENCE, isOn ? 'on' : 'off')

/** Of the signed-in user, in this browser. */
const mapPreference = () => {
  const state = sessionState()
  return `keys:${'session' in state ? state.session.user.id : ''}`
}
export const useKeyMap = () => readKeyMap(usePreference(mapPreference()))
export const setKeyMap = (map: KeyMap) => writePreference(mapPreference(), JSON.stringify(map))

/** Names: `j`, `?` (before the user remaps them), `ArrowDown`, `Enter`, `mod+k` (Ctrl or Command). */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = latest.current[nameOf(event)]
      if (!action || event.defaultPrevented || !isFree(event)) return
      event.preventDefault()
      action(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function nameOf(event: KeyboardEvent): string {
  if (event.altKey) return ''
  if (event.ctrlKey || event.metaKey) return `mod+${event.key.toLowerCase()}`
  if (!isLetterKey(event.key)) return event.key
  return shortcutOf(event.key, readKeyMap(readPreference(mapPreference()))) ?? ''
}

function isFree(event: KeyboardEvent): boolean {
  if (document.querySelector(OPEN_DIALOG)) return false
  if (event.ctrlKey || event.metaKey) return true
  // The event of a key that no element takes has the document as its target, which has no `closest`.
  const target = event.target instanceof Element ? event.target : document.documentElement
  if (target.closest('input, textarea, select, [contenteditable], [role="menu"]')) return false
  const isActivation = event.key === 'Enter' || event.key === ' '
  if (isActivation && target.closest('a, button')) return false
  const isMove = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End'
  if (isMove && target.closest('[role="tablist"]')) return false
  return event.key.length > 1 || readPreference(PREFERENCE) !== 'off'
}
