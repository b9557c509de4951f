-- Lines of long ago end by a function (prisma/access.sql). Nothing changes here: a process that calls it waits for this migration, and
-- what makes it comes with the same command.
SELECT 1;
