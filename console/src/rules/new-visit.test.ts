import { describe, expect, it } from 'vitest'
import { oddityOf } from './fields.ts'
import { nextVisit, toAppointment, visitFields } from './new-visit.ts'

const ZONE = 'America/Chicago'
const visit = nextVisit(Date.parse('2026-11-24T05:52:10Z'), ZONE)

describe('a new visit', () => {
  it('begins at the next quarter of an hour, on the day of the clinic', () => {
    expect(visit).toMatchObject({ day: '2026-11-24', time: '00:00', minutes: '30' })
    expect(nextVisit(Date.parse('2026-11-24T05:30:00Z'), ZONE)).toMatchObject({ day: '2026-11-23', time: '23:30' })
  })

  it('is written at the time of the clinic, without a provider or a service if none is entered', () => {
    const entered = { ...visit, time: '14:05', minutes: '45' }
    const written = { patient_id: 'p1', start_timestamp: '2026-11-24T20:05:00.000Z', service_duration: 45 }
    expect(toAppointment(entered, 'p1', ZONE)).toEqual({
      ...written,
      services: [{ universal_service_identifier: 'MD_Visit' }],
    })
    expect(toAppointment({ ...entered, service: '' }, 'p1', ZONE)).toEqual({ ...written, services: [] })
  })

  it.each([
    ['day', ['2026-11-24'], ['0026-11-24']],
    ['minutes', ['15', '480'], ['0', '9999']],
    ['npi', ['', '1999999984'], ['199999998', '1999999985', 'abc']],
  ])('comes with a warning of a probably mistyped %s', (name, usual, odd) => {
    const field = visitFields.find((each) => each.name === name)!
    const warn = (text: string) => oddityOf(field, text, () => '')
    expect(usual.map(warn)).toEqual(usual.map(() => undefined))
    for (const text of odd) expect(warn(text), text).toMatch(/\.$/)
  })

  it('has the provider and the NPI that are entered', () => {
    const { attending_doctor: doctor } = toAppointment(
      { ...visit, given: 'Ada  Grace', family: 'Okafor', npi: '1999999984' },
      'p1',
      ZONE,
    )
    expect(doctor).toEqual({
      name: { family: 'Okafor', given: ['Ada', 'Grace'], use: 'USUAL' },
      telecoms: [],
      npi: '1999999984',
    })
  })
})
