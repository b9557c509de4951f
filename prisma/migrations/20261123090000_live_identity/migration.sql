-- Which database this is at this moment: null while it follows another one and can only be read. The control file keeps
-- the timeline of the last checkpoint, which stays the old one for a while after a promotion; the log's own is new at once.
CREATE FUNCTION live_identity() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE timeline bigint;
BEGIN
  IF pg_is_in_recovery() THEN RETURN NULL; END IF;
  BEGIN
    timeline := ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint;
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege THEN
    -- Some providers keep the log to themselves.
    timeline := (SELECT timeline_id FROM pg_control_checkpoint());
  END;
  RETURN concat_ws(' ',
    (SELECT system_identifier FROM pg_control_system()),
    timeline,
    (SELECT oid FROM pg_database WHERE datname = current_database()));
END $$;

-- The claim of an attempt compares both within its own transaction.
GRANT SELECT ON "database_identity" TO pathway_tenant;

-- When this database took the place of another one; null while it never did.
ALTER TABLE "database_identity" ADD COLUMN "switched_at" TIMESTAMPTZ(6);

-- The database may have forgotten a connection, and the referrals that were ordered through it. A connection that is
-- saved within a month of the switch is therefore paused until its list has been walked.
CREATE FUNCTION pause_new_connection() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE switched timestamptz;
BEGIN
  SELECT switched_at INTO switched FROM database_identity WHERE switched_at > now() - interval '30 days';
  IF switched IS NULL THEN RETURN NEW; END IF;
  NEW.paused_at := switched;
  NEW.restore_point := switched - interval '60 days';
  INSERT INTO outbox (shop, name, singleton_key, payload)
    VALUES (NEW.shop, 'tail-connection', NEW.shop || ' ' || NEW.environment,
            jsonb_build_object('shop', NEW.shop, 'environment', NEW.environment));
  RETURN NEW;
END $$;
CREATE TRIGGER pause_new_connection BEFORE INSERT ON "connections"
  FOR EACH ROW EXECUTE FUNCTION pause_new_connection();
