// Keeps a keyboard user's place. A browser drops the focus to the document when the focused element is removed, moved or disabled: a form that
// closes, a coverage that changes its place, a button that waits for the service, a screen that is left. Then the focus goes, in this order, to
// the element itself or the one in its place ("Check out" once "Check in" is done), to what had the focus before (the button that opened the
// form), or to the heading of the screen; on a screen that the user goes back to, to what had it there. WCAG 2.2, 2.4.3 and 3.2.
import { OPEN_DIALOG } from './open-dialog.ts'

interface Mark {
  element: HTMLElement
  /** They identify the element after it was rendered again. */
  name: string
  place: string
  path: string
  /** The parent of a button, and the number of the button among what takes the focus there. */
  group: Element | null
  number: number
}

/** For a button that takes back what was just done: with the focus of the button before it, a second Enter would undo the first. */
export const TAKES_BACK = { 'data-takes-back': true } as const

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'
const TRAIL_MAX = 40
/** Several renderings can follow each other. */
const SETTLED_MS = 60
/** A button that is disabled for this long stays so, unless it shows that the service works. */
const BUSY_MS = 1_500
/** A screen that the user goes back to may have to be loaded again. */
const LOADED_MS = 10_000

let trail: Mark[] = []
let heading: HTMLElement | undefined
/** Whether the user has returned to the screen. */
let isBack = false

/** True while no element has the focus that the user has chosen: a screen may take it for the user's place in it. */
export const isFocusFree = (): boolean => {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement === heading
}

/** Watches the document until the returned function is called. */
export function keepFocus(): () => void {
  let isPointing = false
  /** The last input was a click or a touch: the page then stays where it is. */
  let isByPointer = false
  /** Since when the focus is lost. */
  let lostAt: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    lostAt = undefined
    isBack = false
    trail = [...trail.filter(({ element }) => element !== target), markOf(target)].slice(-TRAIL_MAX)
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // A click outside of all elements removes the focus.
    if (isPointing && relatedTarget === null) trail = []
  }
  const onPointer = ({ type }: PointerEvent) => {
    isPointing = type === 'pointerdown'
    isByPointer = true
  }
  const onKey = () => {
    isByPointer = false
  }
  const onBack = () => {
    isBack = true
  }
  const restore = () => {
    if (lostAt === undefined) return
    // A browser gives up the focus of a disabled element only with the next frame.
    const isHeld = document.activeElement !== document.body
    if (isHeld && document.activeElement && !isDisabled(document.activeElement)) {
      lostAt = undefined
      return
    }
    const isLate = performance.now() - lostAt > (isBack ? LOADED_MS : BUSY_MS)
    const target = isHeld ? undefined : findPlace(isLate)
    if (target) target.focus({ preventScroll: isByPointer || target === heading })
    else timer = setTimeout(restore, SETTLED_MS * 4)
  }
  const observer = new MutationObserver((records) => {
    const last = trail.at(-1)?.element
    if (!last) return
    const isGone = !last.isConnected || isDisabled(last) || records.some(({ removedNodes }) => has(removedNodes, last))
    if (isGone) lostAt ??= performance.now()
    if (lostAt === undefined) return
    clearTimeout(timer)
    timer = setTimeout(restore, SETTLED_MS)
  })
  const pointers = ['pointerdown', 'pointerup', 'pointercancel'] as const
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  for (const type of pointers) document.addEventListener(type, onPointer, true)
  document.addEventListener('keydown', onKey, true)
  window.addEventListener('popstate', onBack)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    for (const type of pointers) document.removeEventListener(type, onPointer, true)
    document.removeEventListener('keydown', onKey, true)
    window.removeEventListener('popstate', onBack)
    trail = []
  }
}

/** Where the focus belongs now; undefined while that is not shown yet. */
function findPlace(isLate: boolean): HTMLElement | undefined {
  const last = trail.at(-1)
  if (!last) return undefined
  // Nothing behind an open dialog.
  const scope = document.querySelector(OPEN_DIALOG) ?? document
  const isElsewhere = last.path !== location.pathname && scope === document
  if (isElsewhere && !isBack) return focusHeading()
  if (!isElsewhere && isDisabled(last.element) && last.element.isConnected)
    return isLate && !isBusy(last.element) ? besides(last.element) : undefined
  for (const mark of trail.toReversed()) {
    if (mark.path !== location.pathname) continue
    const shown = shownAs(mark, scope)
    if (shown && canFocus(shown)) return shown
    // A question was answered, and its button waits for the service.
    if (shown && isDisabled(shown) && (!isLate || isBusy(shown))) return undefined
    const found = instead(mark, scope)
    if (found) return isDisabled(found) ? undefined : found
  }
  if (isElsewhere && !isLate) return undefined
  return scope === document ? focusHeading() : undefined
}

/** The heading of the screen, which screen readers then read. */
function focusHeading(): HTMLElement | undefined {
  heading = document.querySelector<HTMLElement>('main h1') ?? undefined
  if (heading) heading.tabIndex = -1
  return heading
}

/** The marked element, or the one that was rendered in its place, which may be disabled. */
function shownAs({ element, name, place }: Mark, scope: ParentNode): HTMLElement | undefined {
  if (scope.contains(element) && canFocus(element)) return element
  if (name === '') return undefined
  const all = [...scope.querySelectorAll<HTMLElement>(element.localName)]
  const same = all.filter((each) => nameOf(each) === name && placeOf(each) === place)
  return same.find(canFocus) ?? same.find(isDisabled)
}

/** What has replaced a button that is done: the one at its place among those that were beside it, which may be disabled until the service is done. */
function instead({ element, group, number }: Mark, scope: ParentNode): HTMLElement | undefined {
  if (element.isConnected || !group || !scope.contains(group)) return undefined
  const beside = focusableIn(group).filter((each) => !each.matches('[data-takes-back]'))
  const there = beside[number] ?? beside.at(-1)
  return there && (canFocus(there) || isBusy(there)) ? there : beside.findLast(canFocus)
}

/** The nearest other element, such as "down" beside an "up" that has reached the top. */
function besides(element: HTMLElement): HTMLElement | undefined {
  for (let around = element.parentElement; around; around = around.parentElement) {
    const found = focusableIn(around).find(canFocus)
    if (found) return found
  }
  return undefined
}

function markOf(element: HTMLElement): Mark {
  const group = element instanceof HTMLButtonElement ? element.parentElement : null
  return {
    element,
    name: nameOf(element),
    place: placeOf(element),
    path: location.pathname,
    group,
    number: group ? focusableIn(group).indexOf(element) : -1,
  }
}

const focusableIn = (part: Element): HTMLElement[] => [...part.querySelectorAll<HTMLElement>(FOCUSABLE)]

const nameOf = (element: HTMLElement): string =>
  element.getAttribute('aria-label') ??
  (element instanceof HTMLInputElement ? element.name : (element.textContent ?? '').trim())

/** The row and the labeled part of the screen: "Edit" occurs once in each. */
function placeOf(element: HTMLElement): string {
  const row = element.closest('tr')?.cells[0]?.textContent ?? ''
  return `${element.parentElement?.closest('[aria-label]')?.getAttribute('aria-label') ?? ''} ${row}`
}

const isDisabled = (element: Element): boolean => element.matches(':disabled')

/** True for a button that waits for the service, however long that takes. */
const isBusy = (element: Element): boolean => element.matches('[data-loading]')

const canFocus = (element: HTMLElement): boolean =>
  element.isConnected && !isDisabled(element) && element.matches(FOCUSABLE) && element.getClientRects().length > 0

const has = (nodes: NodeList, element: HTMLElement): boolean => [...nodes].some((node) => node.contains(element))
