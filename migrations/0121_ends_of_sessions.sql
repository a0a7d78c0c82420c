-- How often all sessions of a user were ended, for example by a change of the password. A sign-in whose proof of identity was read before such
-- an end starts no session after it.
alter table user_account add column sessions_ended integer not null default 0;
