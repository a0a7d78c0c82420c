// The state of the board in its address: the day, the queue and the filters. Saving the address saves the view.
import { isDay } from '../../rules/days.ts'
import { isQueue, type Queue } from '../../rules/queues.ts'

export interface TodaySearch {
  /** YYYY-MM-DD; without it today. */
  day?: string
  queue?: Queue
  doctor?: string
  text?: string
  /** The visit whose panel is open. So Back closes it, on a phone too, where the panel lies over the board. */
  visit?: string
}

export function readTodaySearch(search: Record<string, unknown>): TodaySearch {
  const { day, queue, doctor, text, visit } = search
  return {
    ...(isDay(day) && { day }),
    ...(isQueue(queue) && { queue }),
    ...(typeof doctor === 'string' && doctor && { doctor }),
    // An MRN of digits is a number in an address that was typed.
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: `${text}` }),
    ...(typeof visit === 'string' && visit && { visit }),
  }
}
