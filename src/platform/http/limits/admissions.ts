// Which requests are admitted: what this process can hold at a time, shared fairly. decisions/0019-fairness.md
import { createByteShare } from '../../byte-share.ts'
import { createFairShare } from '../../fair-share.ts'

export interface LoadLimits {
  /** The most requests that are processed at a time. */
  requests: number
  /** The most bytes of bodies that they may bring into memory together. */
  bodyBytes: number
  /** The most bytes of answers that may wait in memory for callers to read them. */
  answerBytes: number
}

/** One request, from its headers to the end of its answer. */
export interface Admission {
  /** The client's organization, or the caller's address when no token was verified. */
  sharer: string
  isStranger: boolean
  /**
   * The bytes that its body may bring into memory. The body of an unknown caller is not counted: it is short, and the
   * number of such callers is limited.
   */
  bytes: number
  phase: Phase
  /** Closes the connection of a caller who neither sends nor reads, when others need the place. */
  cutOff(): void
}

/** In `arriving` and `departing` the caller takes the time, in `working` the service does. */
type Phase = 'arriving' | 'working' | 'departing' | 'gone'

interface Admissions {
  /**
   * Whether its sharer has fewer requests inside than the others on average, and so is not the cause of the overload.
   */
  isOfLight(admission: Admission): boolean
  /** Admits a request that is `arriving`, or `working` when it has no body; false when there is no room. */
  enter(admission: Admission): boolean
  /** The request is complete; returns false when there is no room to process it. */
  begin(admission: Admission): boolean
  /** The response of this many bytes is being sent. */
  depart(admission: Admission, bytes: number): void
  /** The response is being sent while it is produced, with at most this many bytes in memory. */
  stream(admission: Admission, bytes: number): void
  leave(admission: Admission): void
  /** An unknown caller was identified as a client of this organization; false when that organization has no room. */
  become(admission: Admission, organizationId: string): boolean
}

/** The share for callers without a token, so that they do not keep clients out. */
const STRANGERS_SHARE = 0.25
const STRANGERS = 'strangers'

/** Only counts: the caller refuses requests. Every admitted request must `leave` in the end. */
export function createAdmissions(limits: LoadLimits): Admissions {
  const strangersMax = Math.max(1, Math.floor(limits.requests * STRANGERS_SHARE))
  const working = createFairShare({ places: limits.requests })
  const strangersWorking = createFairShare({ places: strangersMax })
  const waitingRooms = { clients: createWaitingRoom(limits.requests), strangers: createWaitingRoom(strangersMax) }
  const bodies = createByteShare<string>(limits.bodyBytes)
  const unread = createWaitingRoom(limits.answerBytes)

  const roomOf = ({ isStranger }: Admission) => (isStranger ? waitingRooms.strangers : waitingRooms.clients)

  const hasRoomToWork = ({ isStranger, sharer }: Admission) =>
    isStranger ? strangersWorking.hasRoomFor(sharer) && working.hasRoomFor(STRANGERS) : working.hasRoomFor(sharer)

  const isOfLight = ({ isStranger, sharer }: Admission) =>
    isStranger
      ? strangersWorking.hasLessThanItsPart(sharer) && working.hasLessThanItsPart(STRANGERS)
      : working.hasLessThanItsPart(sharer)

  function work(admission: Admission): boolean {
    if (!hasRoomToWork(admission)) return false
    if (admission.isStranger) strangersWorking.tryEnter(admission.sharer)
    working.tryEnter(admission.isStranger ? STRANGERS : admission.sharer)
    admission.phase = 'working'
    return true
  }

  function leavePhase(admission: Admission) {
    if (admission.phase === 'gone') return
    if (admission.phase === 'working') {
      working.leave(admission.isStranger ? STRANGERS : admission.sharer)
      if (admission.isStranger) strangersWorking.leave(admission.sharer)
    } else roomOf(admission).leave(admission)
    if (admission.phase !== 'departing') bodies.add(admission.sharer, -countedBytes(admission))
    unread.leave(admission)
    admission.phase = 'gone'
  }

  function enter(admission: Admission): boolean {
    // A request whose body is still to come is refused before the body is read, when there would be no room to process
    // it.
    const bytes = countedBytes(admission)
    if (!hasRoomToWork(admission) || !bodies.hasRoomFor(admission.sharer, bytes)) return false
    bodies.add(admission.sharer, bytes)
    if (admission.phase === 'arriving') roomOf(admission).enter(admission)
    else work(admission)
    return true
  }

  return {
    isOfLight,
    enter,
    begin(admission) {
      if (admission.phase !== 'arriving') return admission.phase === 'working'
      if (!hasRoomToWork(admission)) return false
      roomOf(admission).leave(admission)
      return work(admission)
    },
    depart(admission, bytes) {
      if (admission.phase === 'gone') return
      leavePhase(admission)
      admission.phase = 'departing'
      roomOf(admission).enter(admission)
      unread.enter(admission, bytes)
    },
    stream(admission, bytes) {
      if (admission.phase !== 'gone') unread.enter(admission, bytes)
    },
    leave: leavePhase,
    become(admission, organizationId) {
      const { phase } = admission
      if (phase === 'gone') return false
      leavePhase(admission)
      Object.assign(admission, { sharer: organizationId, isStranger: false, phase })
      if (enter(admission)) return true
      admission.phase = 'gone'
      return false
    },
  }
}

interface WaitingRoom {
  /** One place by default. */
  enter(admission: Admission, size?: number): void
  leave(admission: Admission): void
}

/**
 * Places, or bytes, for requests whose callers take their time. It never refuses: when it is full, the oldest requests of the
 * sharer with the most are disconnected. A caller who sends what it has announced, and reads what it gets, is not inside for
 * long.
 */
function createWaitingRoom(places: number): WaitingRoom {
  const inside = new Map<string, { size: number; sizes: Map<Admission, number> }>()
  let total = 0

  function leave(admission: Admission) {
    const own = inside.get(admission.sharer)
    const size = own?.sizes.get(admission)
    if (!own || size === undefined) return
    own.sizes.delete(admission)
    own.size -= size
    total -= size
    if (own.sizes.size === 0) inside.delete(admission.sharer)
  }

  function cutOffOldest(newcomer: string) {
    let most = inside.get(newcomer)
    for (const each of inside.values()) if (most === undefined || each.size > most.size) most = each
    const oldest = most?.sizes.keys().next().value
    if (!oldest) return
    leave(oldest)
    oldest.cutOff()
  }

  return {
    enter(admission, size = 1) {
      while (total > 0 && total + size > places) cutOffOldest(admission.sharer)
      const own = inside.get(admission.sharer) ?? { size: 0, sizes: new Map() }
      inside.set(admission.sharer, own)
      own.sizes.set(admission, size)
      own.size += size
      total += size
    },
    leave,
  }
}

const countedBytes = ({ isStranger, bytes }: Admission) => (isStranger ? 0 : bytes)
