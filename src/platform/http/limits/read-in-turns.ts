// What many connections of one address send at the same moment is not read in one turn of the event loop: Node parses up to 64 KB of each before
// anything can be refused. decisions/0176-reading-in-turns.md
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { callerSite } from '../caller-address.ts'
import { afterEachRead, startReading, stopReading } from './connection-reading.ts'

/** As long work takes of a turn (event-loop.ts). */
const READ_MS = 5
/** Of many addresses, each of which would be read again. */
const READ_ALL_MS = 10
/** Connections of an address that are read again in a turn while others of it wait: to read an ordinary request takes some 50 µs. */
const AGAIN_AT_ONCE = 64

/** New connections of an address of which nothing was read yet, beyond which further ones wait until those of everybody are accepted. */
const UNREAD_AT_ONCE = 16
/** Other clients may open any number of connections. */
const ACCEPTING_MS = 1_000

/**
 * Reads the connections of an address until reading, of all addresses, has taken `readMs` of a turn, and none any more after `readAllMs`. What more
 * of them have sent is read in the next turns, that of the addresses first which were not read in this one. Node accepts one connection in a turn, which
 * should take no longer than that where thousands of an address wait before those of another one.
 */
export function readInTurns(
  server: Server,
  {
    readMs = READ_MS,
    readAllMs = READ_ALL_MS,
    inNextTurn = setImmediate as NextTurn,
    isProxy = ((_address) => false) as (address: string) => boolean,
  } = {},
): void {
  const accepted: Counter = { count: 0 }
  const lines = new Map<string, Line>()
  const join = (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const site = callerSite(remoteAddress)
    const line = lines.get(site) ?? new Line(inNextTurn, accepted)
    lines.set(site, line)
    accepted.count++
    line.add(socket, isProxy(remoteAddress))
    socket.once('close', () => {
      line.remove(socket)
      if (line.isEmpty) lines.delete(site)
    })
    afterEachRead(socket, () => {
      line.unread.delete(socket)
      const milliseconds = reading.milliseconds()
      // Behind the others, who are held, and so read again, before it.
      if (lines.delete(site)) lines.set(site, line)
      if (milliseconds >= readAllMs) for (const each of lines.values()) each.hold()
      else if (milliseconds >= readMs) line.hold()
    })
  }
  // Behind Node's own listeners, which give the connection its parser.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', join)
}

/** How long connections have been read in this turn. The time of the first read is not known. */
const reading = {
  began: undefined as number | undefined,
  milliseconds(): number {
    const now = performance.now()
    if (this.began === undefined) {
      this.began = now
      setImmediate(() => {
        this.began = undefined
      })
    }
    return now - this.began
  },
}

type NextTurn = (work: () => void) => void
type Counter = { count: number }

/** The connections of an address. */
class Line {
  readonly #inNextTurn: NextTurn
  readonly #read = new Set<Socket>()
  /** In the order in which they are read again. */
  readonly #waiting = new Set<Socket>()
  /** Of which nothing has been read. */
  readonly unread = new Set<Socket>()
  /** Those that wait until connections are accepted, and since when. */
  readonly #new = new Map<Socket, number>()
  /** How many connections were accepted: of all addresses, and of this one. */
  readonly #ofAll: Counter
  #own = 0

  constructor(inNextTurn: NextTurn, ofAll: Counter) {
    this.#inNextTurn = inNextTurn
    this.#ofAll = ofAll
  }

  /** A new connection waits behind those that do. */
  add(socket: Socket, isOfProxy: boolean): void {
    this.#own++
    if (this.unread.size >= UNREAD_AT_ONCE && !isOfProxy) this.#addNew(socket)
    else if (this.#waiting.size === 0) this.#read.add(socket)
    else this.#stop(socket)
    this.unread.add(socket)
  }

  #addNew(socket: Socket): void {
    stopReading(socket)
    if (this.#new.size === 0) this.#inNextTurn(() => this.#readNew(-1, -1))
    this.#new.set(socket, performance.now())
  }

  /** In a turn that has accepted none, or, after `ACCEPTING_MS`, none of this address. */
  #readNew(ownBefore: number, ofAllBefore: number): void {
    const [own, ofAll] = [this.#own, this.#ofAll.count]
    const since = performance.now() - ACCEPTING_MS
    let left = own === ownBefore ? UNREAD_AT_ONCE : 0
    for (const [socket, at] of this.#new) {
      if (left-- <= 0 || (ofAll !== ofAllBefore && at > since)) break
      this.#new.delete(socket)
      this.#read.add(socket)
      startReading(socket)
    }
    if (this.#new.size > 0) this.#inNextTurn(() => this.#readNew(own, ofAll))
  }

  remove(socket: Socket): void {
    this.unread.delete(socket)
    this.#new.delete(socket)
    this.#read.delete(socket)
    this.#waiting.delete(socket)
  }

  get isEmpty(): boolean {
    return this.#read.size + this.#waiting.size + this.#new.size === 0
  }

  /** None is read any more in this turn: which of them have sent something is not known. */
  hold(): void {
    if (this.#waiting.size === 0) this.#inNextTurn(() => this.#release())
    for (const socket of this.#read) this.#stop(socket)
    this.#read.clear()
  }

  #stop(socket: Socket): void {
    stopReading(socket)
    this.#waiting.add(socket)
  }

  #release(): void {
    let left = AGAIN_AT_ONCE
    for (const socket of this.#waiting) {
      if (left-- === 0) break
      this.#waiting.delete(socket)
      this.#read.add(socket)
      startReading(socket)
    }
    if (this.#waiting.size > 0) this.#inNextTurn(() => this.#release())
  }
}
