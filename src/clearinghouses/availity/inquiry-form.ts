import { OTHER_RELATIONSHIP, SELF } from '../../x12/codes/relationships.ts'
import type { Inquiry } from '../../x12/model.ts'
import type { AvailitySettings } from './availity-settings.ts'

/** An inquiry as a form with Availity's field names; unknown values are left out. Dates YYYY-MM-DD. Source: clearinghouse.md C. */
export function inquiryForm(
  inquiry: Inquiry,
  settings: Pick<AvailitySettings, 'submitterId' | 'serviceTypeName'> = {},
) {
  const { provider, subscriber, dependent } = inquiry
  const patient = dependent ?? subscriber
  const form = new URLSearchParams()
  const put = (name: string, value: string | undefined) => {
    if (value) form.append(name, value)
  }
  put('payerId', inquiry.payer.id)
  put('submitterId', settings.submitterId)
  put('providerNpi', provider.npi)
  put('providerLastName', provider.lastName ?? provider.organizationName)
  put('providerFirstName', provider.firstName)
  put('asOfDate', inquiry.dateOfService)
  for (const code of inquiry.serviceTypeCodes) put(settings.serviceTypeName ?? 'serviceType', code)
  put('memberId', patient.memberId ?? subscriber.memberId)
  put('patientLastName', patient.lastName)
  put('patientFirstName', patient.firstName)
  put('patientMiddleName', patient.middleName)
  put('patientSuffix', patient.suffix)
  put('patientBirthDate', patient.dateOfBirth)
  put('patientGender', patient.gender)
  put('patientSSN', patient.ssn)
  put('groupNumber', patient.groupNumber)
  put('subscriberRelationship', dependent ? (dependent.relationshipCode ?? OTHER_RELATIONSHIP) : SELF)
  return form
}

/** Parameters that a caller supplied under Availity's own names; a list repeats its name. */
export function passedForm(parameters: Record<string, string | string[]>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value].flat()) form.append(name, each)
  }
  return form
}
