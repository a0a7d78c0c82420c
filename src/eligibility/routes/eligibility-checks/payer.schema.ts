// The payer directory on the wire. Source: types.md, PayerSearchResponse, StediPayer; rules.md 13.7.
import { Type } from 'typebox'

const texts = Type.Array(Type.String())

export const StediPayer = Type.Object({
  stedi_id: Type.String(),
  display_name: Type.String(),
  primary_payer_id: Type.String(),
  aliases: texts,
  names: texts,
  transaction_support: Type.Optional(Type.Unknown()),
  employer_identification_numbers: Type.Optional(texts),
  payer_enrollment: Type.Optional(Type.Unknown()),
  parent_payer_group: Type.Optional(Type.String()),
  coverage_types: Type.Optional(texts),
})

export const StediPayerItem = Type.Object({
  score: Type.Integer(),
  payer: StediPayer,
})

export const PayerSearchResponse = Type.Object({
  items: Type.Array(StediPayerItem),
  stats: Type.Optional(Type.Unknown()),
  next_page_token: Type.Optional(Type.String()),
  prev_page_token: Type.Optional(Type.String()),
  total: Type.Integer(),
})
