-- A database whose schema public was made anew, or closed to PUBLIC, gives nobody the use of it: the application's role needs it for the
-- functions and operators there. Where this login may not grant it, PostgreSQL warns and a start says what is missing.
grant usage on schema public to anteroom_app;
