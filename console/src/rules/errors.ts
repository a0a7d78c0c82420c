// The meaning of an API error for the user.
import { labelOf } from './names.ts'

interface ErrorDetails {
  status: number
  message: string
  /** Further content of the error; a version conflict states the latest version. */
  content?: { latest_version?: unknown }
}

const words: Record<number, [title: string, advice: string]> = {
  0: [
    'The service cannot be reached',
    'Check the network and try again. Your unsaved changes are kept. If you were saving, first check whether it was saved.',
  ],
  403: ['You do not have permission', 'Ask your administrator for access.'],
  404: ['Not found', 'It may have been removed, or the address is incorrect.'],
  409: ['This conflicts with stored data', 'Correct your entry and try again.'],
  413: ['The file is too large', 'Send a smaller file.'],
  415: ['The file was not accepted', 'Choose another file, or save it in another format.'],
}

/** The title states what happened; the advice states what to do, followed by the server's message if it helps. */
export function explainError({ status, message, content }: ErrorDetails): { title: string; advice: string } {
  if (status === 409 && content?.latest_version !== undefined) {
    return { title: 'Another user changed this record', advice: 'Review the changes and try again.' }
  }
  if (status === 429) return { title: 'Too many requests', advice: `Try again in ${waitOf(message)}.` }
  const known = words[status]
  if (known) return { title: known[0], advice: status === 404 || status === 0 ? known[1] : join(known[1], message) }
  if (status === 400 || status === 422) {
    return { title: 'The entry was not accepted', advice: sentence(message) || 'Check your entry.' }
  }
  if (status >= 500)
    return {
      title: 'The service could not complete this',
      advice: 'Try again in a moment. If you were saving, first check whether it was saved.',
    }
  if (NOT_LOADED.test(message)) {
    return {
      title: 'This page could not be loaded',
      advice: 'Check the network and try again. Your unsaved changes are kept.',
    }
  }
  return { title: 'An error occurred on this page', advice: 'Reload the page. Your unsaved changes are kept.' }
}

/** The service names the seconds. Source: src/contract/errors.ts. */
function waitOf(message: string): string {
  const seconds = Number(/ (\d+) s$/.exec(message)?.[1] ?? 0)
  if (seconds === 0) return 'a moment'
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** A part of the console that was not received: of Vite, Chromium and Firefox, Safari. */
const NOT_LOADED = /Unable to preload|dynamically imported module|module script failed/i

const join = (advice: string, message: string) => (message ? `${advice} Details: ${sentence(message)}` : advice)

/** The verbs of what is said about a field. */
const VERB = '(?:must|may|is|has|have|cannot|does|needs|holds|lists|accepts)'

/** A field of the interface with its path, before a verb: `primary_address.line[0] must …`. */
const FIELD = new RegExp(String.raw`(^|[;:,] )([a-z][A-Za-z0-9_]*(?:\[\d+\]|\.[A-Za-z0-9_]+)*)(?= ${VERB}\b)`, 'g')

export interface Refused {
  path: string
  words: string
}

/**
 * What was refused about fields: the path of each as the interface has it, and a sentence without it, to be shown beside its input. None where a
 * part of the message is about no field.
 */
export function refusedFields({ status, message, content }: ErrorDetails): Refused[] {
  const isOfEntry = status === 400 || status === 422 || (status === 409 && content?.latest_version === undefined)
  if (!isOfEntry) return []
  const parts = message.replace(/^invalid settings: /, '').split('; ')
  const refused = parts.map(refusedIn)
  return refused.every((each) => each !== undefined) ? refused : []
}

function refusedIn(part: string): Refused | undefined {
  const [start, , path] = new RegExp(FIELD.source).exec(part) ?? []
  if (start === undefined || path === undefined || !part.startsWith(start)) return undefined
  const rest = part.slice(start.length).trim()
  return { path, words: sentence(rest.startsWith('must ') ? rest : `this ${rest}`) }
}

/** The texts of a form, by their paths in the interface. */
export type Inputs = Readonly<Record<string, string>>

/**
 * What to say beside which input, if all of it is about inputs that are as they were sent. `url` is also the input of what the service says about
 * `url.scheme` or `url[0]`.
 */
export function refusalsBeside(error: ErrorDetails, sent: Inputs, now: Inputs): Record<string, string> | undefined {
  const refused = refusedFields(error)
  const beside = refused.flatMap(({ path, words }) => {
    const [input] = Object.keys(now)
      .filter((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`))
      .sort((one, other) => other.length - one.length)
    return input !== undefined && sent[input] === now[input] ? [[input, words] as const] : []
  })
  return beside.length > 0 && beside.length === refused.length ? Object.fromEntries(beside) : undefined
}

/** With the labels of the forms in place of the interface's fields. */
const labeled = (message: string) =>
  message.replaceAll(FIELD, (_, before: string, path: string) => {
    const parts = path.replaceAll(/\[\d+\]/g, '').split('.')
    return `${before}${parts.map(labelOf).join(' › ')}`
  })

/** Bounds and forms of the interface in words. */
const spoken = (message: string) =>
  message
    .replaceAll(/must match pattern "[^"]*"/g, 'has an invalid format')
    .replaceAll(/must be integer/g, 'must be a whole number')
    .replaceAll(/must be <= /g, 'must be at most ')
    .replaceAll(/must be >= /g, 'must be at least ')
    .replaceAll(/must NOT have more than /g, 'must have at most ')
    .replaceAll(/must NOT have fewer than /g, 'must have at least ')

const sentence = (message: string) => capitalized(spoken(labeled(message)))

const capitalized = (text: string) => (text ? `${text[0]?.toUpperCase()}${text.slice(1).replace(/[.]?$/, '.')}` : '')
