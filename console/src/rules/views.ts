// Named views of the board: a queue and a provider. A name or an MRN in the filter belongs to a patient and is not stored.
import { isQueue, type Queue } from './queues.ts'

export interface View {
  name: string
  queue?: Queue | undefined
  doctor?: string | undefined
}

const VIEWS_MAX = 20

/** The stored views; invalid data is ignored. */
export function readViews(text: string | undefined): View[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.flatMap((each: Partial<View> | null) => {
      if (typeof each?.name !== 'string' || each.name === '') return []
      const { name, queue, doctor } = each
      return [{ name, ...(isQueue(queue) && { queue }), ...(typeof doctor === 'string' && { doctor }) }]
    })
  } catch {
    return []
  }
}

/** A view of the same name is replaced; the oldest goes where there are too many. */
export function withView(views: readonly View[], { name, queue, doctor }: View): View[] {
  const view = { name: name.trim(), ...(queue && { queue }), ...(doctor && { doctor }) }
  return [...views.filter((each) => each.name !== view.name), view].slice(-VIEWS_MAX)
}

export const withoutView = (views: readonly View[], name: string) => views.filter((each) => each.name !== name)

/** The name of the view that the board shows now. */
export const currentView = (views: readonly View[], now: Pick<View, 'queue' | 'doctor'>) =>
  views.find(({ queue, doctor }) => queue === now.queue && doctor === now.doctor)?.name
