// Images of insurance cards and documents. Source: types.md, "Images"; rules.md 9.
import { type Static, Type } from 'typebox'
import { CoverageId, PatientId } from '../../contract/common.schema.ts'

export const CoverageImageSide = Type.Enum(['FRONT', 'BACK'])

export const CoverageAssociation = Type.Object({
  id: CoverageId,
  side: CoverageImageSide,
})

export const PatientAssociation = Type.Object({
  id: PatientId,
  notes: Type.Optional(Type.String()),
})

export const ImageStatus = Type.Enum(['PENDING', 'UPLOADED', 'FAILED'])

export const MutableImage = Type.Object({
  file_name: Type.String(),
  display_name: Type.String(),
  file_type: Type.String(),
  status: ImageStatus,
  coverage: Type.Optional(CoverageAssociation),
  patient: Type.Optional(PatientAssociation),
})
export type MutableImage = Static<typeof MutableImage>

export const ImageSortField = Type.Enum(['updatedAt', 'fileName', 'displayName', 'fileType', 'status'])
export type ImageSortField = Static<typeof ImageSortField>
