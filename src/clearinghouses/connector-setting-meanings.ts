import type { Static } from 'typebox'
import type { AvailityConnectorSettings } from './availity/availity-settings.ts'
import type { ConnectorKindName } from './connector-kind-names.ts'
import type { commonSettings } from './connector-settings.ts'
import type { CoreConnectorSettings } from './core/core-settings.ts'
import { STEDI_MAX_CONCURRENCY, type StediConnectorSettings } from './stedi/stedi-settings.ts'

type Common = keyof typeof commonSettings

/** `managerUrl` is accepted for settings that older versions stored, and not used. */
type MeaningsOf<Settings> = Readonly<Record<Exclude<keyof Settings, Common | 'managerUrl'>, string>>

export const commonMeanings: Readonly<Record<Common, string>> = {
  timeoutMs: 'Milliseconds for one whole check',
  maxConcurrency: `How many checks run at the same time; the others wait. ${STEDI_MAX_CONCURRENCY} for Stedi unless set`,
  retryHours: 'Hours for which a check in the background is retried while the payer or the clearinghouse cannot answer',
}

const FORWARDED_FOR = 'The header `X-Forwarded-For`, which Medicare requires: the origin first'
const PAYER_IDS = 'An object with payer IDs of the clearinghouse that differ, by our payer ID'
const CA = '`ca`: PEM text of a private certificate authority'

/** The meaning of each setting of a connector: docs/connector-settings.md is generated from these sentences. */
export const connectorSettingMeanings: {
  readonly core: MeaningsOf<Static<typeof CoreConnectorSettings>>
  readonly stedi: MeaningsOf<Static<typeof StediConnectorSettings>>
  readonly availity: MeaningsOf<Static<typeof AvailityConnectorSettings>>
} & Readonly<Record<ConnectorKindName, object>> = {
  core: {
    url: 'The address of the real-time connection',
    form: 'The envelope: SOAP 1.2, SOAP 1.1 or MIME',
    senderId: 'CORE SenderID, agreed with the clearinghouse',
    receiverId: 'CORE ReceiverID, agreed with the clearinghouse',
    username: 'The username that the clearinghouse issued',
    password: 'Its password',
    interchange:
      'An object with the IDs in the X12 envelope where they differ from the CORE IDs: `senderQualifier` (ISA05), `senderId` (ISA06), `receiverQualifier` (ISA07), `receiverId` (ISA08), `applicationSender` (GS02), `applicationReceiver` (GS03)',
    usage: 'ISA15: production or test',
    lineEnding: 'The line endings of MIME',
    forwardedFor: FORWARDED_FOR,
    payerIds: PAYER_IDS,
    tls: `An object with ${CA}; \`cert\` and \`key\`: a client certificate and its private key`,
  },
  stedi: {
    apiKey: 'The key that Stedi issued; it decides between production and test',
    authorization: 'How the header `Authorization` carries the key: alone, or after the word `Key`',
    eligibilityVersion: 'The operation for checks: `2026-06-01`, or the legacy one',
    eligibilityUrl: 'The full address of the check of 2026-06-01, if it does not follow from `url`',
    url: 'The base address of all other operations, with the version in its path',
    payersUrl: 'The base address of the payer directory',
    forwardedFor: FORWARDED_FOR,
    payerIds: PAYER_IDS,
    tls: `An object with ${CA}`,
  },
  availity: {
    clientId: 'The client ID that Availity issued',
    clientSecret: 'Its secret',
    url: 'The base address of `/token` and `/coverages`; older accounts use `https://api.availity.com/availity/v1`',
    scope: 'The scopes of the token; demo access has others',
    submitterId: "Availity's ID of the submitter, for payers that require one",
    serviceTypeName: 'The name of the service types in an inquiry, for payers that require the other spelling',
    mockScenario: 'Selects the canned answer of a demo account (`X-Api-Mock-Scenario-ID`)',
    pollMs: 'Milliseconds between two polls for an answer',
    tls: `An object with ${CA}`,
  },
}
