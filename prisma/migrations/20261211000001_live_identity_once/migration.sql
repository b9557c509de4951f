-- Which database this is, asked by each transaction of a shop, is found out once for each connection: it reads the control file,
-- and begins a transaction within the transaction. A connection of a primary has that primary until it ends. While the database
-- follows another one, nothing is kept: such a connection may live on through the promotion.
CREATE OR REPLACE FUNCTION live_identity() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  timeline bigint;
  identity text := current_setting('pathway.identity', true);
BEGIN
  IF identity <> '' THEN RETURN identity; END IF;
  IF pg_is_in_recovery() THEN RETURN NULL; END IF;
  BEGIN
    timeline := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege THEN
    -- Some providers keep the log to themselves.
    timeline := (SELECT timeline_id FROM pg_control_checkpoint());
  END;
  identity := concat_ws(' ',
    (SELECT system_identifier FROM pg_control_system()),
    timeline,
    (SELECT oid FROM pg_database WHERE datname = current_database()));
  PERFORM set_config('pathway.identity', identity, false);
  RETURN identity;
END $$;
