import type { Appointment } from '../api/generated.ts'

/** The work queues of a day, in the order of the work. */
export const queues = {
  all: 'All',
  exceptions: 'Exceptions',
  unverified: 'Not verified yet',
  ready: 'Ready',
  here: 'Here now',
  done: 'Done',
} as const

export type Queue = keyof typeof queues

export const isQueue = (value: unknown): value is Queue => typeof value === 'string' && Object.hasOwn(queues, value)

const ofStatus: Record<NonNullable<Appointment['status']>, Exclude<Queue, 'all'>> = {
  NOT_READY: 'exceptions',
  PENDING: 'unverified',
  READY: 'ready',
  CHECKED_IN: 'here',
  CHECKED_OUT: 'done',
  NO_SHOW: 'done',
}

export const queueOf = ({ status = 'PENDING' }: Pick<Appointment, 'status'>) => ofStatus[status]
