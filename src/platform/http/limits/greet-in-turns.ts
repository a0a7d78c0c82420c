// TLS handshakes of many connections at the same moment. decisions/0176-reading-in-turns.md
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type TLSSocket, Server as TlsServer } from 'node:tls'
import { type TakeTurn, takeTurn as takeTurnOfLoop } from '../../event-loop.ts'
import { createFairShare, firstCome } from '../../fair-share.ts'
import { callerSite } from '../caller-address.ts'

/** Beyond the slowest line, for the first message and then for the rest of the handshake: the first message has 300 to 2,000 bytes. */
export const HANDSHAKE_MS = 15_000
/** The first message with the largest keys and tickets has some 8 KB. */
const HELLO_MAX_BYTES = 16 * 1024
/** Of which it may be divided into so many; clients send one. */
const HELLO_MAX_RECORDS = 64
/** A client decides when it sends its further messages, which are not read in turns: so many connections of an address may be in between. */
const HANDSHAKES_AT_ONCE = 16
/** How long a handshake waits while connections are accepted: others may open any number. */
const ACCEPTING_MS = 1_000

type NextTurn = (work: () => void) => void

/**
 * Begins a handshake in a turn of its address when its first message has arrived in full: to sign takes a millisecond of the main thread with an RSA key of
 * 2,048 bits, and five with 4,096. A connection beyond `HANDSHAKES_AT_ONCE` of its address waits until another one has finished its handshake, or is closed;
 * not one of a trusted proxy, whose connections are those of many callers. No handshake begins in a turn that has accepted a connection.
 */
export function greetInTurns(
  server: Server,
  isProxy: (address: string) => boolean,
  { takeTurn = takeTurnOfLoop as TakeTurn, inNextTurn = setImmediate as NextTurn, acceptingMs = ACCEPTING_MS } = {},
): void {
  if (!(server instanceof TlsServer)) return
  const greeters = server.listeners('connection')
  server.removeAllListeners('connection')
  const quietTurn = turnsWithoutConnection(server, inNextTurn, acceptingMs)
  const handshakes = createFairShare({
    places: Number.POSITIVE_INFINITY,
    rule: (own) => own < HANDSHAKES_AT_ONCE,
    maxWaiting: Number.POSITIVE_INFINITY,
    waitingRule: firstCome,
  })
  /** What ends the handshake of a connection, by `nameOf`. */
  const inProgress = new Map<string, () => void>()
  server.on('secureConnection', (socket: TLSSocket) => inProgress.get(nameOf(socket))?.())

  /** Resolves when the handshake may begin; false when the connection has been closed by then. */
  async function enter(socket: Socket, site: string): Promise<boolean> {
    const gone = new AbortController()
    const leaveLine = () => gone.abort()
    socket.once('close', leaveLine)
    const hasEntered = await handshakes.enter(site, gone.signal).then(
      () => true,
      () => false,
    )
    socket.off('close', leaveLine)
    if (!hasEntered) return false
    const name = nameOf(socket)
    const end = () => {
      if (inProgress.delete(name)) handshakes.leave(site)
    }
    inProgress.set(name, end)
    socket.once('close', end)
    await quietTurn()
    await takeTurn(site)
    if (socket.destroyed) end()
    return !socket.destroyed
  }

  async function greet(socket: Socket, stopWaiting: () => void): Promise<void> {
    const { remoteAddress = '' } = socket
    const site = callerSite(remoteAddress)
    if (isProxy(remoteAddress)) await takeTurn(site)
    else if (!(await enter(socket, site))) return
    if (socket.destroyed) return
    stopWaiting()
    for (const greeter of greeters) greeter.call(server, socket)
  }

  server.on('connection', (socket: Socket) => {
    const close = () => void socket.destroy()
    // Node listens to both from the greeting on.
    socket.on('error', close).setTimeout(HANDSHAKE_MS, close)
    whenHelloIsWhole(socket, () => {
      void greet(socket, () => socket.setTimeout(0).off('timeout', close))
    })
  })
}

/**
 * Resolves in a turn that has accepted no connection, or after `acceptingMs`. Node accepts one in each: where thousands of an address wait for that, and one
 * of another address behind them, turns are as long as it takes to accept one. decisions/0229-connections-are-accepted-first.md
 */
function turnsWithoutConnection(server: Server, inNextTurn: NextTurn, acceptingMs: number): () => Promise<void> {
  let accepted = 0
  server.on('connection', () => accepted++)
  const waiting = new Map<() => void, number>()
  function look(acceptedBefore: number): void {
    const since = performance.now() - acceptingMs
    for (const [begin, at] of waiting) {
      if (accepted !== acceptedBefore && at > since) break
      waiting.delete(begin)
      begin()
    }
    const present = accepted
    if (waiting.size > 0) inNextTurn(() => look(present))
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.size === 0) inNextTurn(() => look(-1))
      waiting.set(resolve, performance.now())
    })
}

const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Calls back once, with what was read given back to the connection, when its first message has arrived in full, or it is none of TLS. */
function whenHelloIsWhole(socket: Socket, callBack: () => void): void {
  let read = Buffer.alloc(0)
  const leave = () => void socket.destroy()
  const look = () => {
    for (let part = socket.read(); part !== null; part = socket.read()) read = Buffer.concat([read, part])
    const arrived = whatArrived(read)
    if (arrived === 'too much') return leave()
    if (arrived === 'a part') return
    socket.off('readable', look).off('end', leave)
    socket.unshift(read)
    callBack()
  }
  socket.on('readable', look).once('end', leave)
}

const HANDSHAKE_RECORD = 22
const [RECORD_HEADER, MESSAGE_HEADER] = [5, 4]

/** `all` also for bytes that are not a handshake, which are rejected immediately. Source: RFC 8446 4, 5.1: a message may be divided into several records. */
function whatArrived(read: Buffer): 'all' | 'a part' | 'too much' {
  if (read.length > HELLO_MAX_BYTES) return 'too much'
  const parts: Buffer[] = []
  for (let at = 0; at < read.length; ) {
    if (read[at] !== HANDSHAKE_RECORD) return 'all'
    if (read.length < at + RECORD_HEADER) return 'a part'
    const end = at + RECORD_HEADER + read.readUInt16BE(at + 3)
    parts.push(read.subarray(at + RECORD_HEADER, end))
    if (parts.length > HELLO_MAX_RECORDS) return 'too much'
    at = end
  }
  const message = Buffer.concat(parts)
  const isAll = message.length >= MESSAGE_HEADER && message.length >= MESSAGE_HEADER + message.readUIntBE(1, 3)
  return isAll ? 'all' : 'a part'
}
