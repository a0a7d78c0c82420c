// A button can become another one in its place once it is pressed: "Check in" becomes "Check out", and "Revoke" the question about it. The second
// click of a double click, and the repetition of a key that is held, mean the button that was there before, and press no other.

/** Watches the document until the returned function is called. */
export function keepDoubleClicks(): () => void {
  let pressed: string | undefined
  const onClick = (event: MouseEvent) => {
    const button = buttonOf(event)
    const label = button?.ariaLabel ?? button?.textContent ?? undefined
    // The detail of a click is its number in a row; that of a key is 0.
    if (event.detail > 1 && label !== pressed && button) stop(event)
    else pressed = label
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.repeat && event.key === 'Enter' && buttonOf(event)) stop(event)
  }
  document.addEventListener('click', onClick, true)
  document.addEventListener('keydown', onKey, true)
  return () => {
    document.removeEventListener('click', onClick, true)
    document.removeEventListener('keydown', onKey, true)
  }
}

const buttonOf = ({ target }: Event) => (target instanceof Element ? target.closest('button') : null)

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
