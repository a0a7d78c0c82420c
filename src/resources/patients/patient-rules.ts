// Rules between the fields of a patient, for every write. Source: rules.md 6.
import { badRequest } from '../../contract/errors.ts'
import type { RuleContext } from '../../records/record.ts'
import { refuseBlank, refuseFuture } from '../existing-values.ts'
import { addressesAt, addressesOfEach, refuseDomesticAreas } from '../international-addresses.ts'
import { checkCustomMetadata } from './custom-metadata.ts'
import { checkNamedRecords } from './named-records.ts'
import type { MutablePatient } from './patient.schema.ts'

/** @throws BadRequestError that names the field, NotFoundError for a coverage, a note or a tag that does not exist. */
export async function applyPatientRules(body: MutablePatient, context: RuleContext): Promise<MutablePatient> {
  await refuseDomesticAreas(body, context, addressesOf)
  checkClinicalTrials(body)
  await refuseBlank(body, context, familyNames)
  await refuseFuture(body, context, birthDates)
  await checkCustomMetadata(body.custom_metadata, context)
  await checkNamedRecords(body, context)
  return { ...body, ...syncedConsent(body), orcon: body.orcon ?? false }
}

function familyNames({ name, other_names, contacts, guarantor }: MutablePatient): Record<string, string | undefined> {
  return {
    'name.family': name.family,
    ...Object.fromEntries(other_names.map((each, index) => [`other_names[${index}].family`, each.family])),
    ...Object.fromEntries(contacts.map((each, index) => [`contacts[${index}].name.family`, each.name.family])),
    'guarantor.name.family': guarantor?.name.family,
  }
}

function birthDates({ birth_date, guarantor }: MutablePatient): Record<string, string | undefined> {
  return { birth_date, 'guarantor.birth_date': guarantor?.birth_date }
}

function addressesOf(body: MutablePatient) {
  const { contacts, general_practitioners, guarantor, origination_detail, referrals = [] } = body
  return {
    primary_address: body.primary_address,
    ...addressesAt('other_addresses', body.other_addresses),
    'guarantor.address': guarantor?.address,
    ...addressesAt(
      'origination_detail.referring_provider.addresses',
      origination_detail?.referring_provider?.addresses,
    ),
    ...addressesOfEach('contacts', '', contacts),
    ...addressesOfEach('general_practitioners', '', general_practitioners),
    ...addressesOfEach(
      'referrals',
      '.provider',
      referrals.map(({ provider }) => provider),
    ),
  }
}

/** A clinical trial occurs at most once under a non-insurance payer association. */
function checkClinicalTrials(body: MutablePatient): void {
  body.non_insurance_payer_associations?.forEach((association, index) => {
    const ids = (association.clinical_trial_info ?? []).map(({ id }) => id)
    if (new Set(ids).size < ids.length) {
      throw badRequest(`non_insurance_payer_associations[${index}].clinical_trial_info lists a trial twice`)
    }
  })
}

/** The opt-in means text or e-mail; given alone it sets both. */
function syncedConsent(body: MutablePatient): Partial<MutablePatient> {
  const consent = body.electronic_communication_consent
  if (consent) {
    const optIn = consent.text_communication_consent === true || consent.email_communication_consent === true
    return { electronic_communication_opt_in: optIn }
  }
  const optIn = body.electronic_communication_opt_in
  if (optIn === undefined) return {}
  return {
    electronic_communication_consent: { text_communication_consent: optIn, email_communication_consent: optIn },
  }
}
