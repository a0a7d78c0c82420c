// A field of a date or a time takes pasted text as people write it, such as a birth date from a referral. A browser takes its own form at most.
import { entered } from '../rules/entered.ts'
import { readDate, readTime } from '../rules/read-date.ts'
import { announce, announceFailure } from './announce.tsx'

/** Plans and visits have years ahead in which they end or are. */
const YEARS_AHEAD = 10

/** What was said about the text before is shown until it is said again or done away with. */
let wasRefused = false

/** Watches the document until the returned function is called. */
export function takePastedDates(): () => void {
  document.addEventListener('paste', onPaste, true)
  return () => document.removeEventListener('paste', onPaste, true)
}

function onPaste(event: ClipboardEvent): void {
  const { target, clipboardData } = event
  if (!(target instanceof HTMLInputElement) || (target.type !== 'date' && target.type !== 'time')) return
  const text = entered(clipboardData?.getData('text/plain') ?? '')
  if (text === '') return
  event.preventDefault()
  const last = new Date().getFullYear() + (target.name.includes('birth') ? 0 : YEARS_AHEAD)
  const value = target.type === 'date' ? readDate(text, last) : readTime(text)
  if (value === undefined) {
    announceFailure(`The pasted text is not a ${target.type}.`)
    wasRefused = true
    return
  }
  if (wasRefused) announce('')
  wasRefused = false
  // React notices a value that is not set through its own property of the element.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(target, value)
  target.dispatchEvent(new Event('input', { bubbles: true }))
}
