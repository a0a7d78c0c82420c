// Calls API operations by name, typed from the API description.
import { sendOnce } from '../rules/in-flight.ts'
import { isAttended } from './attendance.ts'
import { addresses, type Operations } from './generated.ts'
import { csrfToken, lookAtSession, waitForSignIn } from './session-state.ts'

export type OperationName = keyof Operations
export type Answer<Name extends OperationName> = Operations[Name]['answer']
type Given<Value> = Value extends undefined ? unknown : Record<never, never> extends Value ? unknown : never

/** The parts of a call that its operation requires, and no others. */
export type Input<Name extends OperationName> = Part<'path', Operations[Name]['path']> &
  Part<'query', Operations[Name]['query']> &
  Part<'body', Operations[Name]['body']>
type Part<Key extends string, Value> = [Given<Value>] extends [never]
  ? { [K in Key]: Value }
  : [Value] extends [undefined]
    ? unknown
    : { [K in Key]?: Value }

/** An error response, or a missing response (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly errorName: string
  readonly content: Record<string, unknown>

  constructor(status: number, errorName: string, content: Record<string, unknown>) {
    super(typeof content.message === 'string' ? content.message : errorName)
    this.status = status
    this.errorName = errorName
    this.content = content
  }
}

/** Whether the record does not exist, so that another attempt is useless. An invalid id is answered in the same way. */
export const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

/** The address of the API: the parent folder of the console's. */
export const apiBase = new URL('..', document.baseURI)

/** The address of a page of the guide, which the service serves itself. */
export const guidePage = (name: 'console' | 'clearinghouses') => new URL(`docs/guide/${name}`, apiBase).href

/**
 * Sends one call. A call that is rejected because the session has expired waits until the user has signed in again and is then sent once
 * more, so that no input is lost. The same write is sent once until it is answered, however often its button is pressed.
 * @throws ApiError
 */
export function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const isRead = addresses[name][0] === 'GET'
  // A call that its caller may end is the caller's own.
  if (isRead || signal) return callInSession(name, input, signal)
  return sendOnce(JSON.stringify([name, input]), () => callInSession(name, input, signal))
}

const [UNAUTHORIZED, FORBIDDEN] = [401, 403]
const REFUSALS = new Set([UNAUTHORIZED, FORBIDDEN])

/**
 * A refusal may mean that the user has another role by now, which the screens then show, or has signed in again in another tab, whose session
 * this tab then has. One of the session before says nothing of this one: on a slow network it arrives when the user has signed in again.
 */
async function callInSession<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal: AbortSignal | undefined,
): Promise<Answer<Name>> {
  const token = csrfToken()
  try {
    return await callOnce(name, input, signal)
  } catch (error) {
    if (!(error instanceof ApiError) || !REFUSALS.has(error.status)) throw error
    if (csrfToken() === token && error.status === UNAUTHORIZED) await waitForSignIn()
    else if (csrfToken() === token) {
      await lookAtSession()
      if (csrfToken() === token) throw error
    }
    return await callOnce(name, input, signal)
  }
}

/** A call whose 401 is handled like any other error: the operations of the session itself. @throws ApiError */
export async function callOnce<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const [method, template] = addresses[name]
  const { path = {}, query = {}, body } = input as { path?: Values; query?: Values; body?: unknown }
  const filled = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(path[key])))
  return (await send(method, filled + queryText(query), body, signal)) as Answer<Name>
}

type Values = Record<string, unknown>

let noteAnswer = () => {}
/** `listener` is called at each answer of the service itself. A proxy in front of it answers, too, while the service is away. */
export function onAnswer(listener: () => void): void {
  noteAnswer = listener
}

function queryText(query: Values): string {
  const text = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== '') text.append(key, String(each))
    }
  }
  return text.size > 0 ? `?${text}` : ''
}

async function send(method: string, path: string, body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  const token = csrfToken()
  const response = await fetch(new URL(path.replace(/^\//, ''), apiBase), {
    method,
    signal: signal ?? null,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && token && { 'x-csrf-token': token }),
      ...(!isAttended() && { 'x-unattended': 'true' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'Unreachable', { message: 'the service cannot be reached' })
  })
  const answer = parse(await response.text())
  const { errorName, content } = (answer ?? {}) as { errorName?: string; content?: unknown }
  if (response.ok || errorName !== undefined) noteAnswer()
  if (response.ok) return answer
  const details = typeof content === 'object' && content !== null ? (content as Values) : {}
  throw new ApiError(response.status, errorName ?? `HTTP ${response.status}`, details)
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Uploads the bytes of an image to its signed address, with the host of this page. @throws ApiError */
export async function uploadTo({ signed_url }: { signed_url: string }, file: File): Promise<void> {
  const { pathname, search } = new URL(signed_url)
  const response = await fetch(pathname + search, {
    method: 'PUT',
    headers: { 'content-type': file.type },
    body: file,
  }).catch(() => {
    throw new ApiError(0, 'Unreachable', { message: 'the service cannot be reached' })
  })
  if (response.ok) return
  const { errorName, content } = (parse(await response.text()) ?? {}) as { errorName?: string; content?: Values }
  throw new ApiError(response.status, errorName ?? `HTTP ${response.status}`, content ?? {})
}
