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

/**
 * Reads the connections of an address until reading, of all addresses, has taken `readMs` of a turn, and none any more after `readAllMs`. What more
 * of them have sent is read in the next turns, that of the addresses first which were not read in this one.
 */
export function readInTurns(
  server: Server,
  { readMs = READ_MS, readAllMs = READ_ALL_MS, inNextTurn = setImmediate as NextTurn } = {},
): void {
  const lines = new Map<string, Line>()
  const join = (socket: Socket) => {
    const site = callerSite(socket.remoteAddress ?? '')
    const line = lines.get(site) ?? new Line(inNextTurn)
    lines.set(site, line)
    line.add(socket)
    socket.once('close', () => {
      line.remove(socket)
      if (line.isEmpty) lines.delete(site)
    })
    afterEachRead(socket, () => {
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

/** The connections of an address. */
class Line {
  readonly #inNextTurn: NextTurn
  readonly #read = new Set<Socket>()
  /** In the order in which they are read again. */
  readonly #waiting = new Set<Socket>()

  constructor(inNextTurn: NextTurn) {
    this.#inNextTurn = inNextTurn
  }

  /** A new connection waits behind those that do. */
  add(socket: Socket): void {
    if (this.#waiting.size === 0) this.#read.add(socket)
    else this.#stop(socket)
  }

  remove(socket: Socket): void {
    this.#read.delete(socket)
    this.#waiting.delete(socket)
  }

  get isEmpty(): boolean {
    return this.#read.size + this.#waiting.size === 0
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
