-- A new patient puts some fifty entries into these indexes, each of which rewrites the entry of its trigram: a third of the create and half of its log.
-- They wait in a list now, which the service merges every few seconds for many patients at once. The limit is what a search reads at most
-- beyond the index, when patients are imported. decisions/0134-index-entries-in-lists.md
alter index patient_search set (fastupdate = on, gin_pending_list_limit = 64);
alter index patient_numbers set (fastupdate = on, gin_pending_list_limit = 64);
alter index patient_provider_npi set (fastupdate = on, gin_pending_list_limit = 64);
