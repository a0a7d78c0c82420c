// The live event stream: one connection per visible tab, which resumes at its last position after a disconnect.
import { useEffect, useSyncExternalStore } from 'react'
import { apiBase, call, onAnswer } from './client.ts'
import { type Event, eventVerbs } from './generated.ts'
import { lookAtSession } from './session-state.ts'

type Subject = keyof typeof eventVerbs

/** Whether screens follow its changes. Others are read when their screen opens; a visit changes with its appointment. */
const IS_FOLLOWED: Readonly<Record<Subject, boolean>> = {
  appointment: true,
  coverage: true,
  eligibility_batch: true,
  eligibility_check: true,
  eligibility_recommendation: true,
  image: true,
  metadata_schema: false,
  note: true,
  organization_external_provider: false,
  patient: true,
  patient_merge: true,
  tag: true,
  visit: false,
  webhook: false,
}
const TYPES = (Object.keys(eventVerbs) as Subject[])
  .filter((subject) => IS_FOLLOWED[subject])
  .flatMap((subject) => eventVerbs[subject].map((verb) => `${subject}.${verb}`))
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000
/** The service sends a heartbeat every 15 seconds. A connection that is silent for longer is lost, even without an error: the computer slept, or the network changed. */
const SILENT_MS = 40_000
const LOOK_MS = 5_000
/** A tab that was hidden for this long closes its connection: browsers open about six connections to one host, so the calls of a seventh tab would wait. */
const HIDDEN_MS = 10_000

/** `undefined`: events may have been missed, so everything shown is read again. */
type Heard = (event: Event | undefined) => void

const hearers = new Set<Heard>()
const watchers = new Set<() => void>()
let source: EventSource | undefined
let lastId: string | undefined
let pause = FIRST_PAUSE_MS
let isLive = false
let wasOpen = false
let heardAt = 0
/** When the service last said that it is there: at first, when it sent the page. */
let presentAt = Date.now()
let reconnecting: ReturnType<typeof setTimeout> | undefined
let leaving: ReturnType<typeof setTimeout> | undefined

function connect(): void {
  reconnecting = undefined
  if (document.hidden) return
  const address = new URL('anteroom/v1/events', apiBase)
  // Without a position the stream begins with new events.
  if (lastId !== undefined) address.searchParams.set('after', lastId)
  address.searchParams.set('heartbeat', 'true')
  source = new EventSource(address)
  heardAt = Date.now()
  for (const type of TYPES) source.addEventListener(type, hear)
  source.addEventListener('heartbeat', follow)
  source.addEventListener('incomplete', () => notify(undefined))
  source.addEventListener('open', () => {
    pause = FIRST_PAUSE_MS
    presentAt = Date.now()
    become(true)
    if (lastId === undefined) notify(undefined)
    // The service also ends a stream when its user gets another role.
    if (wasOpen) lookAtSession()
    wasOpen = true
  })
  source.addEventListener('error', onError)
}

function hear(message: MessageEvent<string>): void {
  follow(message)
  notify(JSON.parse(message.data) as Event)
}

function follow({ lastEventId }: MessageEvent<string>): void {
  heardAt = Date.now()
  presentAt = heardAt
  if (lastEventId !== '') lastId = lastEventId
}

function notify(event: Event | undefined): void {
  for (const hearer of hearers) hearer(event)
}

/**
 * The browser reconnects automatically, unless the server rejected the connection, for instance while it starts or when the session has
 * expired.
 */
function onError(): void {
  become(false)
  if (source?.readyState !== EventSource.CLOSED) return
  source = undefined
  const ms = pause
  // A session that has ended asks for the sign-in at once: what an unattended screen shows is then covered.
  call('session.get', {})
    .then(lookAtSession, () => {})
    .then(() => source ?? connectAgainAfter(ms))
  pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
}

function disconnect(): void {
  clearTimeout(reconnecting)
  reconnecting = undefined
  source?.close()
  source = undefined
}

/** Ends the connection, and begins another one after `ms` if somebody listens. */
function connectAgainAfter(ms: number): void {
  disconnect()
  become(false)
  if (hearers.size > 0) reconnecting = setTimeout(connect, ms)
}

setInterval(() => {
  if (source && Date.now() - heardAt > SILENT_MS) connectAgainAfter(0)
}, LOOK_MS)
document.addEventListener('visibilitychange', () => {
  clearTimeout(leaving)
  if (document.hidden) leaving = setTimeout(disconnect, HIDDEN_MS)
  else if (!source && hearers.size > 0) connectEarly()
})
addEventListener('offline', () => connectAgainAfter(FIRST_PAUSE_MS))
addEventListener('online', () => connectAgainAfter(0))

/**
 * The service has answered a call: a connection that waits for its next attempt, which may be half a minute away, need not wait longer. Not more
 * often than the first attempts, because the service may answer calls and still reject the stream.
 */
onAnswer(() => {
  if (reconnecting !== undefined && Date.now() - heardAt >= FIRST_PAUSE_MS) connectAgainAfter(0)
})

function become(live: boolean): void {
  if (isLive === live) return
  isLive = live
  for (const watcher of watchers) watcher()
}

/**
 * Connects before the first screen is loaded: what a screen reads while the stream is open is up to date, and is not read a second time when
 * it opens.
 */
export function connectEarly(): void {
  if (source) return
  clearTimeout(reconnecting)
  connect()
}

/** Subscribes as long as the component is mounted. `heard` must be the same function at each render. */
export function useEvents(heard: Heard): void {
  useEffect(() => {
    hearers.add(heard)
    connectEarly()
    return () => {
      hearers.delete(heard)
      if (hearers.size > 0) return
      disconnect()
      become(false)
    }
  }, [heard])
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The instant of the last sign of the service. */
export const lastHeard = () => new Date(presentAt).toISOString()

export const useIsLive = () => useSyncExternalStore(watch, () => isLive)
