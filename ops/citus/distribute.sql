-- Spreads the shops of a migrated database over the nodes of Citus: each shop's rows lie together on one node. An operator runs this on the
-- coordinator as the owner of the database, once, after the nodes were added, and again after each `npm run migrate`
-- (docs/operations.md, "Over several machines"):
--
--   psql -v ON_ERROR_STOP=1 -d pathway -f ops/citus/distribute.sql
--
-- All that processes read for all shops stays on the coordinator: messages, the queue, keys, sessions, staff. Shops and connections, which
-- both sides are joined with, are on every node. All other tables of a shop's rows are spread by `shop`.
SET client_min_messages TO warning;

BEGIN;
CREATE SCHEMA IF NOT EXISTS pathway_nodes;
GRANT USAGE ON SCHEMA pathway_nodes TO pathway_tenant, pathway_web, pathway_worker, pathway_intake;
-- Has no rows. A look at it makes a transaction one of the whole cluster, with a number that every node learns.
CREATE TABLE IF NOT EXISTS pathway_nodes.anchor (one int PRIMARY KEY);
SELECT create_reference_table('pathway_nodes.anchor')
WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'pathway_nodes.anchor'::regclass);

-- The functions are the same on every node. A node that has not been given the key of signatures refuses every shop.

-- Names the transaction of the cluster, as that of `enter_shop` names the connection: read in one, it is of no use in another.
CREATE OR REPLACE FUNCTION pathway_nodes.signature(shop text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE transaction record := pg_catalog.get_current_transaction_id();
BEGIN
  RETURN pg_catalog.encode(pg_catalog.sha256(pg_catalog.sha256(
    pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_1'))
    OPERATOR(pg_catalog.||) pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_2'))
    OPERATOR(pg_catalog.||) pg_catalog.int8send(transaction.transaction_number)
    OPERATOR(pg_catalog.||) pg_catalog.timestamptz_send(transaction.transaction_stamp)
    OPERATOR(pg_catalog.||) pg_catalog.convert_to(shop, 'UTF8'))), 'hex');
END $$;

-- `enter_shop` calls this. Citus passes on what is said by SET LOCAL, and nothing that is said by set_config. It passes on the whole text
-- that SET LOCAL stands in, so that it must not do so always.
CREATE OR REPLACE FUNCTION pathway_nodes.tell(shop text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE ignored text;
BEGIN
  PERFORM FROM pathway_nodes.anchor;
  ignored := pg_catalog.set_config('citus.propagate_set_commands', 'local', true);
  EXECUTE pg_catalog.format('SET LOCAL pathway.shop TO %L', shop);
  EXECUTE pg_catalog.format('SET LOCAL pathway.node_signature TO %L', pathway_nodes.signature(shop));
  ignored := pg_catalog.set_config('citus.propagate_set_commands', 'none', true);
END $$;

-- The shop of this transaction, where a proof was given on the coordinator.
CREATE OR REPLACE FUNCTION pathway_nodes.shop() RETURNS text
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED SECURITY DEFINER AS $$
DECLARE shop text := pg_catalog.current_setting('pathway.shop', true);
BEGIN
  IF pg_catalog.current_setting('pathway.node_signature', true) OPERATOR(pg_catalog.=) pathway_nodes.signature(shop)
  THEN RETURN shop; END IF;
  RETURN NULL;
END $$;

-- IMMUTABLE, although it asks: while a statement is planned nothing may be left of a policy on the coordinator, whose tables have no
-- rows. Citus 13.0 ends the whole server when it plans a part of a statement twice and a policy is left.
CREATE OR REPLACE FUNCTION pathway_nodes.is_coordinator() RETURNS boolean
LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS $$ BEGIN RETURN pg_catalog.citus_is_coordinator(); END $$;
CREATE OR REPLACE FUNCTION pathway_nodes.is_shop(shop text) RETURNS boolean LANGUAGE sql STABLE PARALLEL RESTRICTED
AS 'SELECT pathway_nodes.is_coordinator() OR shop OPERATOR(pg_catalog.=) pathway_nodes.shop()';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA pathway_nodes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pathway_nodes.is_coordinator(), pathway_nodes.shop(), pathway_nodes.is_shop(text)
  TO pathway_tenant, pathway_web, pathway_worker, pathway_intake;
COMMIT;

-- Runs on each node what Citus does not pass on.
CREATE OR REPLACE PROCEDURE pathway_nodes.on_nodes(command text) LANGUAGE plpgsql AS $$
DECLARE fault text;
BEGIN
  SELECT format('%s: %s', nodename || ':' || nodeport, result) INTO fault
  FROM run_command_on_workers('SET citus.enable_ddl_propagation TO off; ' || command) WHERE NOT success LIMIT 1;
  IF fault IS NOT NULL THEN RAISE EXCEPTION '%', fault; END IF;
END $$;
REVOKE ALL ON PROCEDURE pathway_nodes.on_nodes(text) FROM PUBLIC;

-- The key of signatures is the coordinator's. A node is asked as the role that asks the coordinator: in a shop's transaction, the tenant's.
DO $do$
BEGIN
  CALL pathway_nodes.on_nodes(format($$
    CREATE SEQUENCE IF NOT EXISTS public.signature_key_1 MINVALUE -9223372036854775808;
    CREATE SEQUENCE IF NOT EXISTS public.signature_key_2 MINVALUE -9223372036854775808;
    SELECT setval('public.signature_key_1', %s), setval('public.signature_key_2', %s);
    ALTER ROLE pathway_tenant LOGIN$$,
    pg_sequence_last_value('public.signature_key_1'), pg_sequence_last_value('public.signature_key_2')));
END $do$;

BEGIN;
DO $do$
DECLARE
  t record;
  command text;
BEGIN
  FOR t IN
    SELECT c.oid, c.oid::regclass AS name, c.relname, d.logicalrelid IS NOT NULL AS is_spread FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'shop'
    LEFT JOIN pg_dist_partition d ON d.logicalrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL (ARRAY[
      'inbox', 'outbox', 'leases', 'sessions', 'staff_members', 'order_imports',
      'shop_keys', 'key_epochs', 'data_keys', 'tombstones', 'resealings'])
    ORDER BY c.relname
  LOOP
    -- The policies of prisma/access.sql hold a question, which a table that is spread may not have. On a node, a process's login is its proof.
    FOR command IN
      SELECT format('DROP POLICY IF EXISTS %1$I ON %2$s; CREATE POLICY %1$I ON %2$s TO %3$s USING (%4$s) WITH CHECK (%4$s)',
        polname, t.name, (SELECT string_agg(r::regrole::text, ', ') FROM unnest(polroles) AS r),
        CASE polname WHEN 'own_shop_v1' THEN 'pathway_nodes.is_shop(shop)' WHEN 'process_v1' THEN 'true' END)
      FROM pg_policy WHERE polrelid = t.oid AND pg_get_expr(polqual, polrelid) LIKE '%SELECT%'
    LOOP EXECUTE command; END LOOP;
    IF NOT t.is_spread AND t.relname IN ('shops', 'connections') THEN PERFORM create_reference_table(t.name::text);
    ELSIF NOT t.is_spread THEN PERFORM create_distributed_table(t.name::text, 'shop');
    END IF;
    -- The migration has granted on the coordinator alone.
    FOR command IN
      SELECT format('REVOKE ALL ON %s FROM pathway_tenant, pathway_web, pathway_worker, pathway_intake', t.name) WHERE t.is_spread
      UNION ALL
      SELECT format('GRANT %s ON %s TO %s', string_agg(privilege_type, ', '), t.name, grantee::regrole)
      FROM pg_class, aclexplode(relacl) WHERE oid = t.oid AND t.is_spread AND grantee <> relowner GROUP BY grantee
    LOOP EXECUTE command; END LOOP;
  END LOOP;
END $do$;
DELETE FROM access_grants;
INSERT INTO access_grants (role, table_name, privilege) SELECT * FROM present_access();
COMMIT;

DO $do$
DECLARE
  granted record;
  fault text;
BEGIN
  -- Ids come from the coordinator alone: those of a node would stand in another order.
  CALL pathway_nodes.on_nodes('REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM pathway_tenant, pathway_web, pathway_worker, pathway_intake');
  -- Citus passes on no grant of a column.
  FOR granted IN
    SELECT attrelid, partmethod = 'n' AS is_everywhere, privilege_type AS privilege, grantee::regrole AS role,
           string_agg(quote_ident(attname), ', ') AS columns
    FROM pg_attribute JOIN pg_dist_partition ON logicalrelid = attrelid, aclexplode(attacl) GROUP BY 1, 2, 3, 4
  LOOP
    SELECT result INTO fault FROM run_command_on_placements(granted.attrelid,
      format('GRANT %s (%s) ON %%s TO %s', granted.privilege, granted.columns, granted.role)) WHERE NOT success LIMIT 1;
    IF fault IS NOT NULL THEN RAISE EXCEPTION '%', fault; END IF;
    -- A table that is on every node is locked there by its name, where it has no rows.
    IF granted.is_everywhere AND granted.privilege = 'UPDATE' THEN
      CALL pathway_nodes.on_nodes(format('GRANT UPDATE ON %s TO %s', granted.attrelid::regclass, granted.role));
    END IF;
  END LOOP;
END $do$;

-- A table that is on every node is read on the coordinator, where the policies of prisma/access.sql do.
BEGIN;
SET LOCAL citus.enable_manual_changes_to_shards TO on;
DO $do$
DECLARE command text;
BEGIN
  FOR command IN
    SELECT format('ALTER POLICY own_shop_v1 ON %1$s USING (shop = (SELECT public.entered_shop())) WITH CHECK (shop = (SELECT public.entered_shop()));
      ALTER POLICY process_v1 ON %1$s USING ((SELECT public.is_process())) WITH CHECK ((SELECT public.is_process()))', shard_name(logicalrelid, shardid))
    FROM pg_dist_partition JOIN pg_dist_shard USING (logicalrelid)
    WHERE partmethod = 'n' AND logicalrelid <> 'pathway_nodes.anchor'::regclass
  LOOP EXECUTE command; END LOOP;
END $do$;
COMMIT;
