// Rules of WCAG 2.2 that axe does not know or knows in part, measured in the page as it is shown.
import type { Page } from 'playwright-core'

/** What is looked at: the dialog that covers the rest, otherwise all that `within` names. */
const ROOT = (within: string) =>
  `(document.querySelector('dialog[open], [role=dialog]') ?? document.querySelector(${JSON.stringify(within)}))`

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=button], [role=option], [role=menuitem], [role=tab], [role=switch], [tabindex]'

/**
 * Targets of the pointer that are smaller than 24 by 24 CSS pixels and closer to another target than the rule allows. A row that opens
 * something is a target, too; a label enlarges the box that it belongs to. Source: WCAG 2.2, 2.5.8 with its exceptions for spacing and for
 * targets in a line of text.
 */
export const smallTargets = (page: Page, within = 'html'): Promise<string[]> =>
  page.evaluate(`(() => {
    const LEAST = 24
    const root = ${ROOT(within)}
    const isShown = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const union = (boxes) => {
      const left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right))
      const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom))
      return { left, right, top, bottom, width: right - left, height: bottom - top }
    }
    const boxOf = (element) => {
      const labels = /^(checkbox|radio)$/.test(element.type ?? '') ? [...element.labels] : []
      return union([element, ...labels].map((each) => each.getBoundingClientRect()))
    }
    const isTarget = (element) => isShown(element) && !element.disabled && element.type !== 'hidden' &&
      getComputedStyle(element).pointerEvents !== 'none' &&
      // A heading or a part that scrolls takes the focus and does nothing else.
      (element.matches(${JSON.stringify(CONTROLS.replace(', [tabindex]', ''))}) || element.localName === 'tr')
    const targets = [...root.querySelectorAll(${JSON.stringify(CONTROLS)})].filter(isTarget)
      .map((element) => ({ element, box: boxOf(element) }))
      .filter(({ box }) => box.width > 0 && box.height > 0 && box.right > 0)
    const isSmall = ({ box }) => box.width < LEAST - 0.01 || box.height < LEAST - 0.01
    /** Text beside it in its own line gives it its height. */
    const isInText = ({ element }) => {
      if (getComputedStyle(element).display !== 'inline') return false
      let block = element.parentElement
      while (getComputedStyle(block).display === 'inline') block = block.parentElement
      const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode
        if (/[\\p{L}\\p{N}]/u.test(data) && isShown(parentElement) && !parentElement.closest('a, button')) return true
      }
      return false
    }
    const center = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]
    const isClose = (small, other) => {
      const [x, y] = center(small.box)
      const { left, right, top, bottom } = other.box
      const toBox = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
      const [otherX, otherY] = center(other.box)
      return toBox < LEAST / 2 || (isSmall(other) && Math.hypot(otherX - x, otherY - y) < LEAST)
    }
    return targets.filter((each) => isSmall(each) && !isInText(each)).flatMap((small) => {
      const other = targets.find((each) => each !== small && isClose(small, each))
      if (!other) return []
      const named = ({ element, box }) => element.outerHTML.slice(0, 90) + ' (' + Math.round(box.width) + ' × ' + Math.round(box.height) + ')'
      return [named(small) + ' beside ' + named(other)]
    })
  })()`)

/** Buttons and links whose text is cut, unless it ends in an ellipsis. Source: WCAG 2.2, 1.4.4. */
export const cutLabels = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a[href], a[href] *, button, button *')].filter((each) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(each)
    const isCut = (overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1) ||
      (overflowY !== 'visible' && each.scrollHeight > each.clientHeight + 1)
    return isCut && textOverflow !== 'ellipsis' && each.clientWidth > 2 && each.checkVisibility() && each.textContent.trim() !== ''
  }).map((each) => each.outerHTML.slice(0, 120))`)

/** Names that several buttons have: read alone, as in the list of a screen reader, they do not tell what is pressed. Source: WCAG 2.2, 2.4.6. */
export const repeatedNames = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const shown = [...document.querySelectorAll('button')].filter((each) => each.checkVisibility() && !each.disabled)
    const names = shown.map((each) => each.ariaLabel ?? each.textContent.trim())
    return [...new Set(names.filter((name, place) => name !== '' && names.indexOf(name) < place))]
  })()`)

/** What is selected in a table or in a list. */
export const SELECTIONS = 'tr[aria-current="true"], nav a[aria-current="page"], [role="option"][aria-selected="true"]'

/** Selections that nothing marks where the user's own colors replace those of the page, which leaves out grounds and shadows. */
export const unmarkedSelections = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('${SELECTIONS}')].filter((each) => {
    return each.checkVisibility() && getComputedStyle(each).outlineStyle === 'none'
  }).map((each) => each.outerHTML.slice(0, 120))`)

/** Whether the focused element is seen, as a script: its place in the page if no point of it is visible. Source: WCAG 2.2, 2.4.11. */
export const COVERED_FOCUS = `(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body || focused.closest('header')) return undefined
    const { left, right, top, bottom, width, height } = focused.getBoundingClientRect()
    if (width === 0 || height === 0) return undefined
    const from = [Math.max(left, 0), Math.max(top, 0)]
    const to = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)]
    const steps = [0.02, 0.25, 0.5, 0.75, 0.98]
    const isSeen = (across, down) => {
      const there = document.elementFromPoint(from[0] + (to[0] - from[0]) * across, from[1] + (to[1] - from[1]) * down)
      return there !== null && (focused.contains(there) || there.contains(focused))
    }
    const isInside = to[0] > from[0] && to[1] > from[1]
    if (isInside && steps.some((across) => steps.some((down) => isSeen(across, down)))) return undefined
    return focused.outerHTML.slice(0, 120)
  })()`

/** Whatever takes the focus and is not seen then, forwards and backwards through the page. Source: WCAG 2.2, 2.4.11. */
export const hiddenFocus = (page: Page, within = 'html'): Promise<string[]> =>
  page.evaluate(`(() => {
    const all = [...${ROOT(within)}.querySelectorAll(${JSON.stringify(CONTROLS)})]
    const places = [...all, ...all.toReversed()]
    return [...new Set(places.flatMap((element) => {
      element.focus()
      return (document.activeElement === element && ${COVERED_FOCUS}) || []
    }))]
  })()`)

/**
 * The fields for passwords and codes, as "label: autocomplete", with "of a username" where the form tells a password manager whose it is, and
 * "label: takes no paste" for one that refuses pasted text. Source: WCAG 2.2, 3.3.8.
 */
export const secretFields = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const isSecret = (label) => /password|secret|\\bkey\\b|^code\\b/i.test(label)
    const fields = [...document.querySelectorAll('input')].filter((each) => each.checkVisibility())
      .map((input) => ({ input, label: [...input.labels].map((each) => each.textContent).join(' ').replace(/[\\s*]+$/, '') }))
      .filter(({ input, label }) => input.type === 'password' || input.autocomplete === 'one-time-code' || isSecret(label))
    return fields.flatMap(({ input, label }) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'pasted')
      const isTaken = ['keydown', 'paste', 'drop', 'contextmenu'].every((type) => {
        const event = type === 'paste' ? new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true })
          : type === 'keydown' ? new KeyboardEvent(type, { key: 'v', ctrlKey: true, bubbles: true, cancelable: true })
          : new Event(type, { bubbles: true, cancelable: true })
        return input.dispatchEvent(event)
      })
      const account = input.form?.querySelector('[autocomplete=username]') ? ' of a username' : ''
      return [label + ': ' + input.autocomplete + account, ...(isTaken && !input.readOnly ? [] : [label + ': takes no paste'])]
    })
  })()`)

/** Parts of a screen that scroll sideways in their own frame, by what they are called. What is shown as it was sent may. */
export const sidewaysParts = (page: Page): Promise<string[]> =>
  page.evaluate(`[...${ROOT('main')}.querySelectorAll('*')].filter((each) => {
    const isWider = each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1
    return isWider && ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && !each.matches('pre, pre *, textarea')
  }).map((each) => each.ariaLabel ?? each.outerHTML.slice(0, 90))`)

/** Short words that begin on one line and end on another: no column and no button is as narrow as that. */
export const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const texts = document.createTreeWalker(${ROOT('body')}, NodeFilter.SHOW_TEXT)
    const found = new Set()
    const range = document.createRange()
    /** Neither hidden nor only for screen readers, in a box of a pixel. */
    const isSeen = (each) => each === document.body ||
      (each.checkVisibility({ visibilityProperty: true }) && each.clientWidth !== 1 && isSeen(each.parentElement))
    while (texts.nextNode()) {
      const { currentNode } = texts
      if (!isSeen(currentNode.parentElement)) continue
      for (const { 0: word, index } of currentNode.data.matchAll(/(?<![^\\s])\\p{L}{2,14}(?![^\\s])/gu)) {
        range.setStart(currentNode, index)
        range.setEnd(currentNode, index + word.length)
        const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)))
        if (tops.size > 1) found.add(word + ' in ' + currentNode.parentElement.outerHTML.slice(0, 90))
      }
    }
    return [...found]
  })()`)

/** How many lines the places and what acts take in the header. */
export const linesOfHeader = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const shown = [...(document.querySelector('header')?.querySelectorAll('a, button') ?? [])]
      .filter((each) => each.checkVisibility() && !each.closest('[role=menu]'))
    const middles = shown.map((each) => each.getBoundingClientRect()).map(({ top, height }) => top + height / 2).sort((a, b) => a - b)
    return middles.filter((middle, place) => place === 0 || middle - middles[place - 1] > 12).length
  })()`)
