// Keeps the keys that a user types after the search shortcut until the search field exists.
let typed = ''

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Backspace') typed = typed.slice(0, -1)
  else if (event.key.length === 1) typed += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}

export function catchTyping(): void {
  typed = ''
  document.addEventListener('keydown', onKey, true)
}

/** What was typed so far; from now on keys go where they belong. */
export function takeTyped(): string {
  document.removeEventListener('keydown', onKey, true)
  const text = typed
  typed = ''
  return text
}
