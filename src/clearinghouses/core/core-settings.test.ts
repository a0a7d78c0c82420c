import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeInterchange } from '../../x12/interchange-writer.ts'
import { findPartnerIdFaults, interchangeIds } from './core-settings.ts'

test('an id of a partner that is accepted names that partner in the interchange, whatever its case', () => {
  const id = fc.string({
    unit: fc.constantFrom('A', 'b', '7', '-', ' ', '`', "'", '*', '~', 'é', 'ß'),
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(id, (senderId) => {
      const settings = { senderId: 'HARBOR', receiverId: 'PARTNER', interchange: { senderId } }
      fc.pre(findPartnerIdFaults(settings).length === 0)
      const address = { ...interchangeIds(settings), usage: 'T' as const, controlNumber: 1, at: new Date(0) }
      const written = writeInterchange({ address, functionalId: 'HS', transactions: [] })
      expect(written.slice(35, 50)).toBe(senderId.toUpperCase().padEnd(15))
    }),
  )
})
