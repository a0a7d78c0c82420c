// Drags a card of a list to another place, by mouse, pen or finger. Buttons do the same without dragging (WCAG 2.5.7).
import { type PointerEvent, useEffect, useRef, useState } from 'react'

interface Drag {
  id: string
  /** The card that it would be dropped before; undefined for the end of the list. */
  before: string | undefined
}

const cardsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-drag-id]')]

/** `onDrop` is called when a card was dropped at another place. */
export function useDragOrder(onDrop: (id: string, before: string | undefined) => void) {
  const list = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const isDragging = drag !== undefined
  useEffect(() => {
    if (!isDragging) return
    const cancel = ({ key }: KeyboardEvent) => key === 'Escape' && setDrag(undefined)
    window.addEventListener('keydown', cancel)
    return () => window.removeEventListener('keydown', cancel)
  }, [isDragging])

  function placeOf(id: string, y: number): Drag {
    const below = cardsOf(list.current ?? document.body).find((card) => {
      const { top, height } = card.getBoundingClientRect()
      return card.dataset.dragId !== id && y < top + height / 2
    })
    return { id, before: below?.dataset.dragId }
  }

  /** Where it is already: before the card that follows it. */
  function isSamePlace({ id, before }: Drag): boolean {
    const ids = cardsOf(list.current ?? document.body).map((card) => card.dataset.dragId)
    return ids[ids.indexOf(id) + 1] === before
  }

  /** For the handle of a card. */
  const handle = (id: string) => ({
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag(placeOf(id, event.clientY))
    },
    onPointerMove(event: PointerEvent) {
      if (drag?.id === id) setDrag(placeOf(id, event.clientY))
    },
    onPointerUp(event: PointerEvent) {
      // The last move may not have been drawn yet: where it is dropped is where the pointer is.
      const dropped = drag?.id === id ? placeOf(id, event.clientY) : undefined
      if (dropped && !isSamePlace(dropped)) onDrop(id, dropped.before)
      setDrag(undefined)
    },
    onPointerCancel: () => setDrag(undefined),
  })

  /** For a card: what shows that it is dragged, or that the dragged one would be dropped before it. */
  const card = (id: string) => ({
    'data-drag-id': id,
    ...(drag?.id === id && { 'data-dragged': true }),
    ...(drag && drag.before === id && !isSamePlace(drag) && { 'data-drop-before': true }),
  })

  return { list, handle, card }
}
