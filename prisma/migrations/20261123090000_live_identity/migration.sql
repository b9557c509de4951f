-- Which database this is at this moment: null while it follows another one and can only be read. The control file keeps
-- the timeline of the last checkpoint, which stays the old one for a while after a promotion; the log's own is new at once.
CREATE FUNCTION live_identity() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF pg_is_in_recovery() THEN RETURN NULL; END IF;
  RETURN concat_ws(' ',
    (SELECT system_identifier FROM pg_control_system()),
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
    (SELECT oid FROM pg_database WHERE datname = current_database()));
END $$;

-- The claim of an attempt compares both within its own transaction.
GRANT SELECT ON "database_identity" TO pathway_tenant;
