import { Type } from 'typebox'
import { alreadyInUse, notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import { defineRecord, type RuleContext } from '../../records/record.ts'
import { coverage } from '../coverages/coverage.ts'
import { coverageId, patientId } from '../example-people.ts'
import { MutableImage } from './image.schema.ts'

/** A picture or scan, usually of an insurance card; its bytes are behind `signed_url`. Source: rules.md 9. */
export const image = defineRecord({
  name: 'image',
  label: 'Image',
  mutable: MutableImage,
  example: {
    file_name: 'insurance-card-front.jpg',
    display_name: 'Insurance card, front',
    file_type: 'image/jpeg',
    status: 'PENDING',
    coverage: { id: coverageId, side: 'FRONT' },
    patient: { id: patientId },
  },
  pathVersions: { update: 'current', deactivate: 'current' },
  // The patient that it names, and the patient of the coverage that it shows.
  patients: [{ patient: 'patient.id' }, { of: coverage, id: 'coverage.id' }],
  adds: { signed_url: Type.String() },
  prepare: applyImageRules,
  uniqueness: {
    image_coverage_side_unique: () => alreadyInUse('this coverage already has an image of this side'),
  },
})

/** @throws NotFoundError for a coverage or a patient that does not exist. */
async function applyImageRules(body: MutableImage, context: RuleContext): Promise<MutableImage> {
  const { coverage, patient } = body
  if (coverage && !(await exists('coverage', coverage.id, context))) throw notFound('Coverage')
  if (patient && !(await exists('patient', patient.id, context))) throw notFound('Patient')
  return body
}

async function exists(table: 'coverage' | 'patient', id: string, { actor, deps }: RuleContext): Promise<boolean> {
  if (!isUuid(id)) return false
  const text = `select 1 from ${table} where organization_id = $1 and id = $2`
  return (await deps.database.row({ name: `image_${table}_exists`, text }, [actor.organizationId, id])) !== undefined
}
