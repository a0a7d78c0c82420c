// The service types that this user lists first, kept in this browser.
import { usePreference, writePreference } from '../../ui/preferences.ts'

const OWN = 'own-services'
const USUAL = '98,30'

export function useOwnServices() {
  const own = (usePreference(OWN) ?? USUAL).split(',').filter(Boolean)
  const toggle = (code: string) =>
    writePreference(OWN, (own.includes(code) ? own.filter((each) => each !== code) : [...own, code]).join(','))
  return { own, toggle }
}
