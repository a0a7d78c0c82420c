import { createHash } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * An invented Stedi id of five capital letters for a payer whose list has none. It is the same for the same payer id at every import,
 * unless it is taken: then the next free one. Our choice; the interface requires the form (rules.md 13.7).
 */
export function generatePayerId(payerId: string, isTaken: (id: string) => boolean): string {
  for (let attempt = 0; ; attempt++) {
    const digest = createHash('sha256').update(`${attempt} ${payerId}`).digest()
    const id = Array.from(digest.subarray(0, 5), (byte) => LETTERS[byte % LETTERS.length]).join('')
    if (!isTaken(id)) return id
  }
}
