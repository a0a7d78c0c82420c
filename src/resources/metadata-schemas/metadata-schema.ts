import { alreadyInUse, badRequest } from '../../contract/errors.ts'
import { defineRecord, type RuleContext } from '../../records/record.ts'
import { refuseBlank, refuseNew } from '../existing-values.ts'
import { MutableMetadataSchema } from './metadata-schema.schema.ts'

/** The fields that an organization adds to its patients' `custom_metadata`. Source: rules.md 14. */
export const metadataSchema = defineRecord({
  name: 'metadata_schema',
  label: 'Metadata schema',
  mutable: MutableMetadataSchema,
  example: {
    name: 'Intake',
    description: 'What the front desk asks at the first visit.',
    fields: [
      { key: 'preferred_pharmacy', type: 'STRING' },
      { key: 'how_found_us', type: 'ENUM', enum_values: ['FRIEND', 'SEARCH', 'REFERRAL'] },
    ],
  },
  pathVersions: { update: 'current', deactivate: 'current', reactivate: 'current' },
  patients: 'none',
  prepare: checkFields,
  checkUpdate: refuseRemovals,
  uniqueness: { metadata_schema_name_unique: () => alreadyInUse('name is in use by another metadata schema') },
})

const namesIn = ({ name, fields }: MutableMetadataSchema) => ({
  name,
  ...Object.fromEntries(fields.map(({ key }, index) => [`fields[${index}].key`, key])),
})

/** A body loses such a key before anybody reads it (body-reader.ts), so that no patient could have a value of it. */
const NOT_KEPT = { isWrong: (text: string) => text === '__proto__', must: 'must not be __proto__' }

/** @throws BadRequestError for a blank name or key, a duplicate key, an ENUM without values, and values on any other type. */
async function checkFields(body: MutableMetadataSchema, context: RuleContext): Promise<MutableMetadataSchema> {
  await refuseBlank(body, context, namesIn)
  await refuseNew(body, context, namesIn, NOT_KEPT)
  const keys = new Set<string>()
  body.fields.forEach(({ key, type, enum_values }, index) => {
    const at = `fields[${index}]`
    if (keys.has(key)) throw badRequest(`${at}.key is the key of an earlier field`)
    keys.add(key)
    if (type !== 'ENUM' && enum_values) throw badRequest(`${at}.enum_values is for fields of type ENUM only`)
    if (type === 'ENUM' && !enum_values?.length) throw badRequest(`${at}.enum_values needs at least one value`)
  })
  return body
}

/**
 * Updates may only add: patients may have values for every field declared so far. Fields are matched by key.
 * @throws BadRequestError that names the stored field.
 */
function refuseRemovals(body: MutableMetadataSchema, current: MutableMetadataSchema): void {
  const next = new Map(body.fields.map((field) => [field.key, field]))
  current.fields.forEach((stored, index) => {
    const at = `fields must keep the field at index ${index} of the latest version`
    const field = next.get(stored.key)
    if (!field) throw badRequest(at)
    if (field.type !== stored.type) throw badRequest(`${at} with its type ${stored.type}`)
    const values = new Set(field.enum_values)
    if (stored.enum_values?.some((value) => !values.has(value))) {
      throw badRequest(`${at} with all its enum_values`)
    }
  })
}
