-- The intake reads keys by its own login (prisma/access.sql). Nothing changes here: a process that needs it waits for this
-- migration, and what gives it comes with the same command.
SELECT 1;
