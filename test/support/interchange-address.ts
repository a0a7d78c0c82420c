import type { InterchangeAddress } from '../../src/x12/model.ts'

/** The envelope of a test interchange whose parties do not matter. */
export const addressAt = (at: Date, controlNumber = 1): InterchangeAddress => ({
  senderQualifier: 'ZZ',
  senderId: 'CLINIC',
  receiverQualifier: 'ZZ',
  receiverId: 'PAYER',
  usage: 'T',
  controlNumber,
  at,
})
