-- The copay that a verification wrote to the visit, in cents. While the visit has it, it is an estimate: it ends with the answer that it came from. Any other
-- copay is a user's and stays (decisions/0010-verification.md). Earlier decisions are given what the estimate of their primary coverage's check says.
alter table appointment_verification add column copay_cents bigint;

update appointment_verification v set copay_cents = (a.body ->> 'estimated_copay_cents')::bigint
from appointment a
where a.organization_id = v.organization_id and a.id = v.appointment_id and exists (
  select from eligibility_recommendation r
  where r.organization_id = v.organization_id and not r.deactivated
    and r.body ->> 'eligibility_check_id' = v.answers -> 0 ->> 'check_id'
    and r.body -> 'recommendation' ->> 'type' = 'COPAY_ESTIMATION'
    and r.body #>> '{recommendation,payload,structured_response}' = a.body ->> 'estimated_copay_cents'
);
