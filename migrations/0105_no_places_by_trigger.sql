-- Unused since 0084_users.sql: only processes of releases before 0067 write a record without its place in the change feed, and an upgrade from before
-- 0084 needs those stopped (decisions/0063-upgrades.md). PostgreSQL 18 may look a place up in the wrong index of a table that has grown since it was analyzed:
-- 50,000 records in one statement then take minutes.
drop trigger appointment_history_places_change on appointment_history;
drop trigger coverage_history_places_change on coverage_history;
drop trigger eligibility_recommendation_history_places_change on eligibility_recommendation_history;
drop trigger image_history_places_change on image_history;
drop trigger metadata_schema_history_places_change on metadata_schema_history;
drop trigger note_history_places_change on note_history;
drop trigger organization_external_provider_history_places_change on organization_external_provider_history;
drop trigger patient_history_places_change on patient_history;
drop trigger patient_merge_history_places_change on patient_merge_history;
drop trigger tag_history_places_change on tag_history;
drop function place_change();
