// Statements whose text is built for a request, such as pages of lists: those that are sent often are prepared by name.
// decisions/0093-prepared-pages.md
import { LRUCache } from 'lru-cache'
import type { Statement } from '../database.ts'

/** The most forms that are prepared. Each takes memory in each connection: about 0.1 MB. */
export const FORMS_MAX = 40
/** A form is prepared from this sending on, so that a statement used once or twice takes no space. */
export const SENDINGS_BEFORE = 5
const COUNTED_FORMS_MAX = 500

interface PreparedForms {
  /** The statement as it is to be sent next. */
  prepared(statement: Statement | string): Statement | string
}

/** The first forms that are sent often are prepared on each connection that sends them, and stay so; others are not. */
export function createPreparedForms(): PreparedForms {
  const names = new Map<string, string>()
  const sendings = new LRUCache<string, number>({ max: COUNTED_FORMS_MAX })

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size === FORMS_MAX) return known
    const count = (sendings.get(text) ?? 0) + 1
    if (count < SENDINGS_BEFORE) {
      sendings.set(text, count)
      return undefined
    }
    sendings.delete(text)
    const name = `form_${names.size + 1}`
    names.set(text, name)
    return name
  }

  return {
    prepared(statement) {
      if (typeof statement === 'string' || !statement.hasOnePlan) return statement
      const name = nameOf(statement.text)
      return name === undefined ? statement : { ...statement, name }
    },
  }
}
