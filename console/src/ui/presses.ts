// What is shown when a field is left must not move the button that is being pressed: the press takes the focus from the field, the button would
// move before the pointer is released, and there would be no click.

let isPressed = false
/** What had the focus when the latest press began, until a key is pressed. */
let pressedFrom: Element | null = null

/** Where the focus was before the press of the button that is being handled; `null` if it was a key. */
export const focusBeforePress = (): Element | null => pressedFrom

/** Watches the document until the returned function is called. */
export function watchPresses(): () => void {
  const press = () => {
    isPressed = true
    pressedFrom = document.activeElement
  }
  const release = () => {
    isPressed = false
  }
  const key = () => {
    pressedFrom = null
  }
  document.addEventListener('keydown', key, true)
  document.addEventListener('pointerdown', press, true)
  for (const end of ENDS) document.addEventListener(end, release, true)
  return () => {
    document.removeEventListener('keydown', key, true)
    document.removeEventListener('pointerdown', press, true)
    for (const end of ENDS) document.removeEventListener(end, release, true)
  }
}

const ENDS = ['pointerup', 'pointercancel'] as const

/** Acts once the press that is under way has become a click. After a tap the focus moves between the lifting of the finger and the click, so one task is always waited for. */
export function afterPress(act: () => void): void {
  const later = () => {
    for (const end of ENDS) document.removeEventListener(end, later)
    setTimeout(act)
  }
  if (isPressed) for (const end of ENDS) document.addEventListener(end, later)
  else later()
}
