/** A visit that has become READY or NOT_READY, or NOT_READY for another reason: an event in addition to that of the appointment (rules.md 17). */
export const visitEvents = {
  type: `case when body ->> 'status' = 'READY' then 'visit.ready' else 'visit.not_ready' end`,
  detail: `jsonb_strip_nulls(jsonb_build_object('status', body -> 'status', 'not_ready_reason', body -> 'not_ready_reason',
            'ready_source', body -> 'ready_source', 'patient_id', body -> 'patient_id'))`,
  where: `not deactivated and body ->> 'status' in ('READY', 'NOT_READY')
          and (body -> 'status', body -> 'not_ready_reason') is distinct from (old_body -> 'status', old_body -> 'not_ready_reason')`,
}
