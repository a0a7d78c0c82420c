// What comes instead of an answer may quote the inquiry, credentials and all: a SOAP fault, a page of an error handler. Callers see
// such texts and the database keeps them, so the credentials are taken out where the connector ends.
import { type AskOptions, type Clearinghouse, ClearinghouseError } from './clearinghouse.ts'

const TAKEN_OUT = '(removed)'
/** Shorter than this nothing is a secret, and taking it out would leave nothing to read. */
const SECRET_MIN_LENGTH = 4

/** The same clearinghouse, whose failures hold none of `secrets` and no password of a caller's portal. */
export function withoutQuotes(inner: Clearinghouse, secrets: readonly string[]): Clearinghouse {
  const guarded = Object.entries(inner).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value]
    const call = (...args: unknown[]) => {
      const result = value(...args)
      // A list comes piece by piece; its failures are told in words of our own.
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        throw error instanceof ClearinghouseError ? unquoted(error, [...secrets, ...portalSecrets(args[1])]) : error
      })
    }
    return [name, call]
  })
  return Object.fromEntries(guarded) as Clearinghouse
}

function portalSecrets(options: unknown): string[] {
  const password = (options as AskOptions | undefined)?.portal?.password
  return password === undefined ? [] : [password]
}

function unquoted(error: ClearinghouseError, secrets: readonly string[]): ClearinghouseError {
  const forms = secrets.filter(({ length }) => length >= SECRET_MIN_LENGTH).flatMap(formsOf)
  const clean = (text: string) => forms.reduce((left, form) => left.replaceAll(form, TAKEN_OUT), text)
  const { message, code, detail, rawResponse } = error
  return error.with({
    message: clean(message),
    code: clean(code),
    detail: detail && clean(detail),
    rawResponse: rawResponse && clean(rawResponse),
  })
}

/** As it is, and as XML, JSON and a form write it. */
function formsOf(secret: string): string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const forms = [secret, xml, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return [...new Set(forms)]
}
