// Whether somebody uses the page. Screens read by themselves what others change, all day long on a board: those calls must not keep the session of
// an unattended screen alive. Source: 45 CFR 164.312(a)(2)(iii), automatic logoff.

const INPUT = ['keydown', 'pointerdown', 'wheel', 'click', 'input'] as const
/** What a user has asked for may take several calls, and a form is filled in with pauses. */
const ATTENDED_MS = 60_000

let lastInputAt = 0

/** Watches the document until the returned function is called. */
export function watchInput(): () => void {
  const note = ({ isTrusted }: Event) => {
    if (isTrusted) lastInputAt = performance.now()
  }
  for (const kind of INPUT) document.addEventListener(kind, note, { capture: true, passive: true })
  return () => {
    for (const kind of INPUT) document.removeEventListener(kind, note, { capture: true })
  }
}

/** True for a minute after each input, and after the page was opened. */
export const isAttended = (): boolean => performance.now() - lastInputAt < ATTENDED_MS
