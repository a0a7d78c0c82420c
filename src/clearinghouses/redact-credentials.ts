// A response that is not an answer may quote the inquiry, including credentials: a SOAP fault, a page of an error handler. Callers see such
// texts and the database stores them, so the connector's results pass through here to remove the credentials.
import { type AskOptions, type Clearinghouse, ClearinghouseError } from './clearinghouse.ts'
import { escapeXml } from './core/xml.ts'

const REMOVED = '(removed)'
/** A shorter text is not a secret, and removing it would make the message unreadable. */
const SECRET_MIN_LENGTH = 4

/** The same clearinghouse, with failures that contain none of `secrets` and no portal password of a caller. */
export function redactCredentials(inner: Clearinghouse, secrets: readonly string[]): Clearinghouse {
  const guarded = Object.entries(inner).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value]
    const call = (...args: unknown[]) => {
      const result = value(...args)
      // A list is returned page by page; its failures contain only our own texts.
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        throw error instanceof ClearinghouseError
          ? withoutCredentials(error, [...secrets, ...portalSecrets(args[1])])
          : error
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

function withoutCredentials(error: ClearinghouseError, secrets: readonly string[]): ClearinghouseError {
  const forms = secrets.filter(({ length }) => length >= SECRET_MIN_LENGTH).flatMap(formsOf)
  const clean = (text: string) => forms.reduce((left, form) => left.replaceAll(form, REMOVED), text)
  const { message, code, detail, rawResponse } = error
  return error.with({
    message: clean(message),
    code: clean(code),
    detail: detail && clean(detail),
    rawResponse: rawResponse && clean(rawResponse),
  })
}

/** The secret verbatim, and as XML, JSON and a form encode it: as our connectors write it, and as a server may write it again. */
function formsOf(secret: string): string[] {
  const inXml = escapeXml(secret)
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1)
  const quotes = [inXml.replaceAll('&quot;', '"'), JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return [...new Set([secret, inXml, inForm, ...quotes])]
}
