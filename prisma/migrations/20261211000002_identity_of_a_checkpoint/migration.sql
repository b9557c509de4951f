-- Where a provider keeps the log to itself, the timeline is that of the last checkpoint, which stays the former one for a while
-- after a promotion. It is not kept for the connection: whoever asked too early would take the database for the former one until the
-- connection ends, and refuse it, or note the former one again.
CREATE OR REPLACE FUNCTION live_identity() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  timeline bigint;
  identity text := current_setting('pathway.identity', true);
  is_certain boolean := true;
BEGIN
  IF identity <> '' THEN RETURN identity; END IF;
  IF pg_is_in_recovery() THEN RETURN NULL; END IF;
  BEGIN
    timeline := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege THEN
    timeline := (SELECT timeline_id FROM pg_control_checkpoint());
    is_certain := false;
  END;
  identity := concat_ws(' ',
    (SELECT system_identifier FROM pg_control_system()),
    timeline,
    (SELECT oid FROM pg_database WHERE datname = current_database()));
  IF is_certain THEN PERFORM set_config('pathway.identity', identity, false); END IF;
  RETURN identity;
END $$;
