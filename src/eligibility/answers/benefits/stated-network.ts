// The network that a row is about: by EB12, or by a text that is nothing but its name, which some payers send instead. x12-271.md 4, 7.
import { serviceTypeName } from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { BOTH_NETWORKS, IN_THE_NETWORK, OUT_OF_THE_NETWORK } from '../words/figures/networks.ts'
import { synonymsOf, wordsOf } from '../words/figures/plain-labels.ts'
import { states } from '../words/phrase-group.ts'

/** EB12: in, out, both. */
type StatedNetwork = 'Y' | 'N' | 'W'

/** The network of a row; undefined when it states none, or different ones in words. */
export function statedNetwork(row: BenefitRow): StatedNetwork | undefined {
  const { networkIndicator, messages, planDescription } = row
  if (networkIndicator === 'Y' || networkIndicator === 'N' || networkIndicator === 'W') return networkIndicator
  let found = planDescription === undefined ? undefined : networkNamed(planDescription)
  for (const message of messages) {
    const named = networkNamed(message) ?? networkBeside(message, row)
    if (named === undefined) continue
    if (found !== undefined && found !== named) return undefined
    found = named
  }
  return found
}

/** The network in a text that also names the service of its row: "IN NETWORK URGENT CARE COPAY". */
function networkBeside(text: string, { serviceTypeCodes }: BenefitRow): StatedNetwork | undefined {
  if (text.length > LONGEST_NAME || serviceTypeCodes.length !== 1 || !ANY_NETWORK.test(text)) return undefined
  const names = wordsOf(serviceTypeName(serviceTypeCodes[0]!) ?? '')
  const own = new Set([...names, ...synonymsOf(names)])
  const rest = text.split(' ').filter((word) => !own.has(word.toUpperCase()))
  return networkNamed(rest.join(' '))
}

/** Most texts have none of these words, so that they are searched once. */
const ANY_NETWORK = /NETWORK|\bPAR|\bNON|\bINN\b|\bOON\b/i

/** Longer texts say more than the network. */
const LONGEST_NAME = 50

/** Words for ordinary figures, which say nothing about the network: "IN-NETWORK OFFICE VISIT COPAY". */
const OF_FIGURE =
  /\b(?:(?:OFFICE|PHYSICIAN|DOCTOR) VISITS?|(?:PER|ANNUAL|CALENDAR|PLAN|BENEFIT|CONTRACT) (?:YEAR|VISIT)|COST[ -]SHAR\w+|ANNUAL|YEARLY) ?/gi

/** The network, if a text is its name: "OUT OF NETWORK", "INN DEDUCTIBLE". */
export function networkNamed(text: string): StatedNetwork | undefined {
  if (text.length > LONGEST_NAME || !ANY_NETWORK.test(text)) return undefined
  const name = text.replaceAll(OF_FIGURE, '')
  if (states(IN_THE_NETWORK, name)) return 'Y'
  if (states(OUT_OF_THE_NETWORK, name)) return 'N'
  return states(BOTH_NETWORKS, name) ? 'W' : undefined
}
