import { describe, expect, it } from 'vitest'
import { actorOf, auditQuery, NO_FILTERS } from './audit.ts'

const place = { patient: undefined, token: undefined, timeZone: 'America/New_York' }
const event = { id: 'E', at: '2026-03-08T12:00:00.000Z', operation: 'patients.get' }

describe('the query of the audit trail', () => {
  it('asks for entries about patients, until a patient, an operation or everything is chosen', () => {
    expect(auditQuery(NO_FILTERS, place)).toEqual({ limit: 50, patients_only: true })
    expect(auditQuery(NO_FILTERS, { ...place, patient: 'P' })).toEqual({ limit: 50, patient_id: 'P' })
    expect(auditQuery({ ...NO_FILTERS, operation: 'notes' }, place)).toEqual({ limit: 50, operation: 'notes' })
    expect(auditQuery({ ...NO_FILTERS, withOthers: true }, place)).toEqual({ limit: 50 })
  })

  it('includes both days, as days of the clinic, and leaves out a day that is still being typed', () => {
    const filters = { ...NO_FILTERS, from: '2026-03-07', to: '2026-03-07' }
    expect(auditQuery(filters, place)).toMatchObject({
      from: '2026-03-07T05:00:00.000Z',
      to: '2026-03-08T05:00:00.000Z',
    })
    expect(auditQuery({ ...NO_FILTERS, from: '0002-03-07' }, place)).not.toHaveProperty('from')
  })

  it('asks for the page and the person', () => {
    expect(auditQuery({ ...NO_FILTERS, person: 'U' }, { ...place, token: 'T' })).toMatchObject({
      user_id: 'U',
      page_token: 'T',
    })
  })
})

describe('who an entry says it was', () => {
  it('is the name of the user or of the client', () => {
    expect(actorOf({ ...event, user_id: 'U' }, [{ id: 'U', name: 'Ana' }])).toBe('Ana')
    expect(actorOf({ ...event, client_id: 'C' }, [], [{ client_id: 'C', name: 'Billing' }])).toBe('Billing')
  })

  it('is the operator, the service, or the id of somebody whose name is not known', () => {
    expect(actorOf({ ...event, operation: 'command.backup', os_user: 'root' })).toBe('root (command line)')
    expect(actorOf({ ...event, operation: 'system.verification' })).toBe('The service')
    expect(actorOf({ ...event, client_id: 'C' })).toBe('C')
    expect(actorOf({ ...event, user_id: 'U' })).toBe('U')
    expect(actorOf(event)).toBe('Unknown')
  })
})
