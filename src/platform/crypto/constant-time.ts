import { timingSafeEqual } from 'node:crypto'

/** Compares in a time that does not depend on where the two differ. */
export const isEqual = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right)
