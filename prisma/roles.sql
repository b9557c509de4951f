-- The roles of Pathway's processes. `npm run migrate` makes them where the owner of the database has CREATEROLE. Where not, an
-- administrator of the server runs this beforehand, once for each server, and gives the three logins their passwords:
--
--   psql -d pathway -f prisma/roles.sql
--   ALTER ROLE pathway_web PASSWORD '…'; ALTER ROLE pathway_worker PASSWORD '…'; ALTER ROLE pathway_intake PASSWORD '…';
--
-- None of them is a superuser, passes row-level security, makes roles, or owns a table. NOINHERIT: a login takes the
-- tenant's rights only by SET ROLE. May be run again.
DO $$
DECLARE name text;
BEGIN
  -- Two databases of one server may be migrated at once.
  PERFORM pg_advisory_xact_lock(hashtextextended('pathway roles', 0));
  FOREACH name IN ARRAY ARRAY['pathway_tenant', 'pathway_web', 'pathway_worker', 'pathway_intake'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOINHERIT', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    IF name <> 'pathway_tenant' AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name AND rolcanlogin) THEN
      EXECUTE format('ALTER ROLE %I LOGIN', name);
    END IF;
    IF name IN ('pathway_web', 'pathway_worker') AND NOT EXISTS (
      SELECT FROM pg_auth_members
      WHERE roleid = 'pathway_tenant'::regrole AND member = to_regrole(name)
    ) THEN
      EXECUTE format('GRANT pathway_tenant TO %I', name);
    END IF;
  END LOOP;
  -- For commands that an operator runs as the owner, such as `npm run affected`. An administrator runs this in the owner's database.
  FOR name IN
    SELECT current_user UNION SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()
  LOOP
    BEGIN
      EXECUTE format('GRANT pathway_tenant TO %I', name);
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
  END LOOP;
END $$;
