// Stedi's requirements on the fields of a request, as far as the sandbox enforces them. Source: clearinghouse.md A2, A7, A8.

import { type JsonObject, objectOf, objectsOf } from '../../../clearinghouses/json-values.ts'
import { isObject } from '../../../contract/is-object.ts'
import type { InputFault } from './json-replies.ts'

const COMPACT_DATE = /^\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/
const ISO_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const NPI = /^\d{10}$/
const SSN = /^(?:\d{9}|\d{3}-\d{2}-\d{4}|\d{4})$/
const anything = /^[\s\S]{1,80}$/

/** The faults of an eligibility check. */
export function checkEligibilityInput(json: JsonObject): InputFault[] {
  const subscriber = objectOf(json.subscriber)
  const dependents = objectsOf(json.dependents)
  const encounter = objectOf(json.encounter)
  const faults = [
    ...fault(json, '', 'tradingPartnerServiceId', anything, 'required'),
    ...fault(objectOf(json.provider), '/provider', 'npi', NPI, 'required'),
    ...fault(subscriber, '/subscriber', 'memberId', /^[A-Za-z0-9- ]{2,80}$/),
    ...fault(subscriber, '/subscriber', 'dateOfBirth', COMPACT_DATE),
    ...dependents.flatMap((each, at) => fault(each, `/dependents/${at}`, 'dateOfBirth', COMPACT_DATE)),
    ...fault(encounter, '/encounter', 'dateOfService', COMPACT_DATE),
    ...fault(json, '', 'controlNumber', /^.{9}$/),
    ...fault(json, '', 'portalUsername', /^.{1,50}$/),
    ...fault(json, '', 'portalPassword', /^.{1,50}$/),
  ]
  if (!isObject(json.subscriber)) faults.push({ path: '/subscriber', message: 'Member must not be null' })
  else if (!subscriber.memberId && !subscriber.dateOfBirth && !subscriber.lastName)
    faults.push({ path: '/subscriber', message: 'One of memberId, dateOfBirth and lastName must be there' })
  if (dependents.length > 1) faults.push({ path: '/dependents', message: 'Only one dependent can be asked about' })
  return faults
}

/** The faults of an eligibility check that is answered by plan. */
export function checkPlansInput(json: JsonObject): InputFault[] {
  const [provider, subscriber, encounter] = [json.provider, json.subscriber, json.encounter].map(objectOf)
  const dates = objectOf(objectOf(encounter?.dates).service)
  const faults = [
    ...fault(json, '', 'payerId', anything, 'required'),
    ...fault(provider ?? {}, '/provider', 'npi', NPI, 'required'),
    ...fault(subscriber ?? {}, '/subscriber', 'memberId', /^[A-Za-z0-9- ]{2,80}$/),
    ...fault(subscriber ?? {}, '/subscriber', 'dateOfBirth', ISO_DATE),
    ...fault(objectOf(subscriber?.additionalInformation), '/subscriber/additionalInformation', 'ssn', /^\d{9}$/),
    ...fault(objectOf(json.dependent), '/dependent', 'dateOfBirth', ISO_DATE),
    ...fault(dates, '/encounter/dates/service', 'start', ISO_DATE),
    ...objectsOf(encounter?.services).flatMap((service, at) =>
      fault(service, `/encounter/services/${at}`, 'value', anything, 'required'),
    ),
  ]
  if (!isObject(provider?.name)) faults.push({ path: '/provider/name', message: 'Member must not be null' })
  if (!isObject(json.subscriber)) faults.push({ path: '/subscriber', message: 'Member must not be null' })
  return faults
}

/** The faults of an insurance discovery. */
export function checkDiscoveryInput(json: JsonObject): InputFault[] {
  const encounter = objectOf(json.encounter)
  const people = listPeople(json)
  return [
    ...fault(objectOf(json.provider), '/provider', 'npi', /^[12].{9,14}$/, 'required'),
    ...people.flatMap(([path, person]) => [
      ...fault(person, path, 'firstName', /^.{1,25}$/, 'required'),
      ...fault(person, path, 'lastName', /^.{1,25}$/, 'required'),
      ...fault(person, path, 'dateOfBirth', COMPACT_DATE),
      ...fault(person, path, 'ssn', SSN),
      ...fault(person, path, 'gender', /^[MF]$/),
    ]),
    ...['dateOfService', 'beginningDateOfService', 'endDateOfService'].flatMap((name) =>
      fault(encounter, '/encounter', name, COMPACT_DATE),
    ),
  ]
}

/** The faults of a coordination of benefits; service dates lie in the last two years. */
export function checkCoordinationInput(json: JsonObject, at: Date): InputFault[] {
  const encounter = objectOf(json.encounter)
  const subscriber = objectOf(json.subscriber)
  const people = listPeople(json)
  const days = ['dateOfService', 'beginningDateOfService', 'endDateOfService']
  const faults = [
    ...fault(json, '', 'tradingPartnerServiceId', anything, 'required'),
    ...fault(objectOf(json.provider), '/provider', 'npi', NPI, 'required'),
    ...people.flatMap(([path, person]) => [
      ...fault(person, path, 'firstName', /^.{1,35}$/, 'required'),
      ...fault(person, path, 'lastName', /^.{1,60}$/, 'required'),
      ...fault(person, path, 'dateOfBirth', ISO_DATE, 'required'),
      ...fault(person, path, 'ssn', /^\d{9}$/),
    ]),
    ...days.flatMap((name) => fault(encounter, '/encounter', name, ISO_DATE)),
    ...days.flatMap((name) => outOfRange(encounter[name], `/encounter/${name}`, at)),
  ]
  if (!isObject(json.encounter)) faults.push({ path: '/encounter', message: 'Member must not be null' })
  if (!subscriber.memberId && !subscriber.ssn)
    faults.push({ path: '/subscriber', message: 'One of memberId and ssn must be there' })
  return faults
}

function listPeople(json: JsonObject): [path: string, person: JsonObject][] {
  const subscriber: [string, JsonObject] = ['/subscriber', objectOf(json.subscriber)]
  return isObject(json.dependent) ? [subscriber, ['/dependent', json.dependent]] : [subscriber]
}

function outOfRange(day: unknown, path: string, at: Date): InputFault[] {
  if (typeof day !== 'string') return []
  const today = at.toISOString().slice(0, 10)
  const earliest = `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`
  // One day beyond UTC's date: it is already tomorrow in time zones to the east.
  const latest = new Date(at.getTime() + 86_400_000).toISOString().slice(0, 10)
  const isWithin = earliest <= day && day <= latest
  return isWithin ? [] : [{ path, message: 'Member must be within the past two years and not in the future' }]
}

function fault(json: JsonObject, path: string, name: string, pattern: RegExp, demand?: 'required'): InputFault[] {
  const value = json[name]
  if (value === undefined) {
    return demand ? [{ path: `${path}/${name}`, message: 'Member must not be null' }] : []
  }
  if (typeof value === 'string' && pattern.test(value)) return []
  return [
    { path: `${path}/${name}`, message: `Value at '${path}/${name}' failed to satisfy constraint ${pattern.source}` },
  ]
}
