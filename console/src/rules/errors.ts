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

/** A field of the interface with its path, before a verb: `primary_address.line[0] must …`. */
const FIELD = /(^|[;:,] )([a-z][A-Za-z0-9_]*(?:\[\d+\]|\.[A-Za-z0-9_]+)*)(?= (?:must|may|is|has|cannot|does)\b)/g

/**
 * What was refused about one field: its path as the interface has it, and the sentence without it, to be shown beside its input. Undefined where
 * the message begins with none.
 */
export function refusedField({ status, message }: ErrorDetails): { path: string; words: string } | undefined {
  if (status !== 400 && status !== 422) return undefined
  const [start, , path] = new RegExp(FIELD.source).exec(message) ?? []
  if (start === undefined || path === undefined || !message.startsWith(start)) return undefined
  return { path, words: sentence(message.slice(start.length).trim()) }
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
