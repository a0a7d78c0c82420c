-- A payer plan group can hold a large part of an organization's coverages; it is read and changed as one (rules.md 10.2).
create index coverage_plan_group on coverage (organization_id, (body #>> '{insurance_plan,payer_plan_group_id}'))
  where body #>> '{insurance_plan,payer_plan_group_id}' is not null;
