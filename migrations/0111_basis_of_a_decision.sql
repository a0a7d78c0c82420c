-- The versions that the decision about a visit rests on. A READY visit is reconsidered when they differ from the current ones, whatever the
-- clocks of the machines say (decisions/0010-verification.md). Earlier decisions have none and are reconsidered once.
alter table appointment_verification add column basis text;
