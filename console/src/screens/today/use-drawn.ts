// The rows of a long board are drawn in parts: first as many as fit into a window, then the others, between which the browser paints and
// answers keys. All of them are drawn within a second, so that find, print and screen readers have the whole day.
import { startTransition, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** More than the rows that a window of 1440 px shows. Each part is as large as all before it: the table is laid out again for each. */
const FIRST = 30

/**
 * `drawn`: how many of the rows are to be drawn, at least `needed`. `drawTo` draws up to a row at once, before it returns. Rows that come in
 * a large number, such as those of a wider filter, are drawn in parts again.
 */
export function useDrawn(total: number, needed: number): { drawn: number; drawTo: (row: number) => void } {
  const [state, setState] = useState({ total, drawn: FIRST })
  const isWidened = total > state.total + FIRST
  const drawn = Math.min(total, Math.max(isWidened ? FIRST : state.drawn, needed))
  if (total !== state.total) setState({ total, drawn: isWidened ? FIRST : state.drawn })

  useEffect(() => {
    if (drawn >= total) return
    const timer = setTimeout(() =>
      startTransition(() => setState((old) => ({ ...old, drawn: Math.max(old.drawn, 2 * drawn) }))),
    )
    return () => clearTimeout(timer)
  }, [drawn, total])

  const drawTo = useCallback((row: number) => {
    flushSync(() => setState((old) => (old.drawn > row ? old : { ...old, drawn: row + 1 })))
  }, [])
  useEffect(() => {
    const drawAll = () => drawTo(total)
    addEventListener('beforeprint', drawAll)
    return () => removeEventListener('beforeprint', drawAll)
  }, [drawTo, total])
  return { drawn, drawTo }
}
