-- Who may do what in the database. `npm run migrate` runs this as the owner after the migrations, each time, in one
-- transaction: what stands here is what holds. A table that stands nowhere here is nobody's but the owner's.
--
-- Two fences, one behind the other (docs/decisions/0050):
--   1. Grants: what a role may do with a table at all.
--   2. Row-level security, forced: a tenant's transaction sees the rows of the shop that it entered with a proof
--      (enter_shop); a login sees rows of all shops only on a connection that has proved that it is a process's own
--      (enter_process). No SQL makes a proof: the keys of proofs are in tenant_keys, which only the owner reads.

-- Where shops are spread over nodes, this is said to the coordinator, and to the nodes by ops/citus/distribute.sql.
SELECT set_config('citus.enable_ddl_propagation', 'off', true);

-- ---------------------------------------------------------------------------------------------------------------- proofs

-- The key of the database's own signatures: two numbers of 64 bits at random, which only the owner sees. They are sequences, because what
-- one stands at is read without asking a table. That takes a third of the time, in each statement (docs/decisions/0209).
SELECT setval('public.signature_key_1', ('x' || substr(random, 1, 16))::bit(64)::bigint),
       setval('public.signature_key_2', ('x' || substr(random, 17, 16))::bit(64)::bigint)
FROM (SELECT encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex') AS random) AS made
WHERE pg_sequence_last_value('public.signature_key_1') IS NULL OR pg_sequence_last_value('public.signature_key_2') IS NULL;

-- Whether a key of PATHWAY_TENANT_KEYS made this proof.
CREATE OR REPLACE FUNCTION is_tenant_proof(message text, proof text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM public.tenant_keys k
    WHERE proof OPERATOR(pg_catalog.=) pg_catalog.encode(pg_catalog.sha256(
      k.outer_pad OPERATOR(pg_catalog.||) pg_catalog.sha256(
        k.inner_pad OPERATOR(pg_catalog.||) pg_catalog.convert_to(message, 'UTF8'))), 'hex'));
END $$;
DROP FUNCTION IF EXISTS tenant_hmac(text, text);

-- Begins a transaction for one shop. The signature names the connection and the transaction: read there, it is of no use
-- anywhere else. Runs for each transaction of a tenant, and `entered_shop` for each of its statements. So neither sets a search
-- path: every name is qualified, and nobody but the owner may make a function or an operator. The signature is computed and nothing is
-- selected for it, because plpgsql runs a SELECT as a statement of its own.
CREATE OR REPLACE FUNCTION enter_shop(shop text, proof text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE ignored text;
BEGIN
  IF NOT public.is_tenant_proof('shop ' OPERATOR(pg_catalog.||) shop, proof) THEN
    RAISE EXCEPTION 'The tenant key is not one of this database: run "npm run migrate" with the same PATHWAY_TENANT_KEYS'
      USING ERRCODE = '28000';
  END IF;
  ignored := pg_catalog.set_config('pathway.shop', shop, true);
  ignored := pg_catalog.set_config('pathway.signature', pg_catalog.encode(pg_catalog.sha256(pg_catalog.sha256(
    pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_1'))
    OPERATOR(pg_catalog.||) pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_2'))
    OPERATOR(pg_catalog.||) pg_catalog.int4send(pg_catalog.pg_backend_pid())
    OPERATOR(pg_catalog.||) pg_catalog.timestamptz_send(pg_catalog.now())
    OPERATOR(pg_catalog.||) pg_catalog.convert_to(shop, 'UTF8'))), 'hex'), true);
  -- The nodes over which shops are spread have to know it too (ops/citus/distribute.sql).
  IF pg_catalog.to_regproc('pathway_nodes.tell') IS NOT NULL THEN
    ignored := pathway_nodes.tell(shop);
  END IF;
  RETURN true;
END $$;

-- The shop of this transaction, if it was entered with a proof.
CREATE OR REPLACE FUNCTION entered_shop() RETURNS text
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED SECURITY DEFINER AS $$
DECLARE shop text := pg_catalog.current_setting('pathway.shop', true);
BEGIN
  IF pg_catalog.current_setting('pathway.signature', true) OPERATOR(pg_catalog.=) pg_catalog.encode(pg_catalog.sha256(pg_catalog.sha256(
    pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_1'))
    OPERATOR(pg_catalog.||) pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_2'))
    OPERATOR(pg_catalog.||) pg_catalog.int4send(pg_catalog.pg_backend_pid())
    OPERATOR(pg_catalog.||) pg_catalog.timestamptz_send(pg_catalog.now())
    OPERATOR(pg_catalog.||) pg_catalog.convert_to(shop, 'UTF8'))), 'hex')
  THEN RETURN shop; END IF;
  -- A process of the former version, which goes on while this one is rolled out: it logs in as the owner, who sees everything
  -- in any case, and names its shop without a proof.
  IF pg_catalog.pg_has_role(session_user, current_user, 'MEMBER') THEN RETURN shop; END IF;
  RETURN NULL;
END $$;

-- Makes a connection one of a process's own, until it ends. Connections of tenants never are. A signature of a shop names a moment
-- and a shop, which none of a process does.
CREATE OR REPLACE FUNCTION enter_process(proof text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE ignored text;
BEGIN
  IF NOT public.is_tenant_proof('process', proof) THEN
    RAISE EXCEPTION 'The tenant key is not one of this database: run "npm run migrate" with the same PATHWAY_TENANT_KEYS'
      USING ERRCODE = '28000';
  END IF;
  ignored := pg_catalog.set_config('pathway.process', pg_catalog.encode(pg_catalog.sha256(pg_catalog.sha256(
    pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_1'))
    OPERATOR(pg_catalog.||) pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_2'))
    OPERATOR(pg_catalog.||) pg_catalog.int4send(pg_catalog.pg_backend_pid()))), 'hex'), false);
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION is_process() RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED SECURITY DEFINER AS $$
BEGIN
  RETURN coalesce(pg_catalog.current_setting('pathway.process', true) OPERATOR(pg_catalog.=) pg_catalog.encode(pg_catalog.sha256(pg_catalog.sha256(
    pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_1'))
    OPERATOR(pg_catalog.||) pg_catalog.int8send(pg_catalog.pg_sequence_last_value('public.signature_key_2'))
    OPERATOR(pg_catalog.||) pg_catalog.int4send(pg_catalog.pg_backend_pid()))), 'hex'), false);
END $$;

-- ------------------------------------------------------------------------------------------ what only the owner may do

-- Destroys the rows of a shop that has uninstalled, in every table with a column `shop`, the audit included: with `end_timeline` the only
-- way in which rows of the audit end. Null when the shop is installed, else how many rows of which table.
CREATE OR REPLACE FUNCTION erase_shop(erased text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  t text;
  n bigint;
  installed boolean;
  counts jsonb := '{}';
BEGIN
  IF NOT (public.is_process() OR pg_has_role(session_user, current_user, 'MEMBER')) THEN
    RAISE EXCEPTION 'permission denied' USING ERRCODE = '42501';
  END IF;
  -- A shop that is just coming back either stops this or comes to an empty house.
  SELECT uninstalled_at IS NULL INTO installed FROM public.shops WHERE shop = erased FOR UPDATE;
  IF installed THEN RETURN NULL; END IF;
  FOR t IN
    SELECT quote_ident(c.table_name) FROM information_schema.columns c
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND c.column_name = 'shop' AND table_type = 'BASE TABLE' ORDER BY 1
  LOOP
    EXECUTE format('DELETE FROM public.%s WHERE shop = $1', t) USING erased;
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n > 0 THEN counts := counts || jsonb_build_object(t, n); END IF;
  END LOOP;
  RETURN counts;
END $$;

-- Whether the store of this transaction's shop has the app under another domain too, or had it and its rows are still here.
CREATE OR REPLACE FUNCTION has_other_name() RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE entered text := public.entered_shop();
BEGIN
  RETURN EXISTS (
    SELECT FROM public.shops own JOIN public.shops other ON other.store_id = own.store_id AND other.shop <> own.shop
    WHERE own.shop = entered);
END $$;

-- Whether something was ordered for an order under another domain of its store. Ids of orders are unlike in all of Shopify, so that a
-- shop whose store has not told its id yet counts too. The first who asks has the order until its transaction ends: its rows are
-- seen by the next, because each statement of a volatile function sees what was committed before it.
CREATE OR REPLACE FUNCTION ordered_under_other_name(asked text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  entered text := public.entered_shop();
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('names ' || asked, 0));
  -- Name by name: where shops are spread over nodes, no statement asks all of them (ops/citus/distribute.sql).
  FOR name IN
    SELECT other.shop FROM public.shops own
    JOIN public.shops other ON (other.store_id = own.store_id OR other.store_id IS NULL) AND other.shop <> own.shop
    WHERE own.shop = entered AND own.store_id IS NOT NULL
  LOOP
    IF EXISTS (SELECT FROM public.referral_requests r WHERE r.shop = name AND r.order_id = asked) THEN RETURN true; END IF;
  END LOOP;
  RETURN false;
END $$;

-- The other domain of this shop's store under which something was ordered for an order. Both have told the same id of Shopify's, so that they are
-- one merchant's, and the order was read of that store.
CREATE OR REPLACE FUNCTION other_name_that_ordered(asked text, of_store text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  entered text := public.entered_shop();
  name text;
BEGIN
  FOR name IN
    SELECT other.shop FROM public.shops own
    JOIN public.shops other ON other.store_id = own.store_id AND other.shop <> own.shop
    WHERE own.shop = entered AND own.store_id = of_store ORDER BY other.installed_at DESC
  LOOP
    IF EXISTS (SELECT FROM public.referral_requests r WHERE r.shop = name AND r.order_id = asked) THEN RETURN name; END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- The name under which this shop's store signed in last, if that is another one. Both have told the same id of Shopify's, and no other store has
-- come under either.
CREATE OR REPLACE FUNCTION present_name() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE entered text := public.entered_shop();
BEGIN
  RETURN (
    SELECT other.shop FROM public.shops own
    JOIN public.shops other ON other.store_id = own.store_id AND other.installed_at > own.installed_at
    WHERE own.shop = entered AND own.other_store_id IS NULL
      AND other.other_store_id IS NULL AND other.uninstalled_at IS NULL
    ORDER BY other.installed_at DESC LIMIT 1);
END $$;

-- The logs of all shops, and the one of no shop, that have something to chain (queue/access-sealing.ts). Log by log, as above.
CREATE OR REPLACE FUNCTION logs_to_seal(installation text) RETURNS SETOF text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog AS $$
DECLARE
  name text;
  head record;
BEGIN
  FOR name IN SELECT shop FROM public.shops UNION ALL SELECT installation LOOP
    SELECT last_id, sealed_at INTO head FROM public.access_log_seals WHERE shop = name ORDER BY number DESC LIMIT 1;
    IF head.sealed_at > now() - interval '10 minutes'
      OR EXISTS (SELECT FROM public.access_log WHERE shop = name AND id > coalesce(head.last_id, 0))
    THEN RETURN NEXT name; END IF;
  END LOOP;
END $$;

-- Ends tombstones whose erasures are noted outside the database (kept_at).
CREATE OR REPLACE FUNCTION end_tombstones(of_shop text, ids bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  IF NOT (public.is_process() OR pg_has_role(session_user, current_user, 'MEMBER')) THEN
    RAISE EXCEPTION 'permission denied' USING ERRCODE = '42501';
  END IF;
  DELETE FROM public.tombstones WHERE store = of_shop AND kept_at IS NOT NULL AND (ids IS NULL OR id = ANY(ids));
END $$;

-- Deletes lines of the timeline that nobody needs any more: older than seven years, of an order that was redacted more than seven
-- years ago with each of its requests (docs/decisions/0211). Lines of no order stay, and those that tell of an answer that got
-- lost: they are asked for before a unit is ordered again (find-forgotten.ts). Two clocks have to agree, the caller's and this one's, so that
-- neither ends anything by being ahead. Looks at the thousand orders behind one, by their payment: none is redacted before
-- it is paid. Returns how many lines ended, at most a thousand, and behind which order to go on.
CREATE OR REPLACE FUNCTION end_timeline(of_shop text, at timestamptz, behind jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  horizon timestamptz := least(at, now()) - interval '7 years';
  ended int;
  looked_at int;
  last jsonb;
BEGIN
  IF NOT (public.is_process() OR pg_has_role(session_user, current_user, 'MEMBER')) THEN
    RAISE EXCEPTION 'permission denied' USING ERRCODE = '42501';
  END IF;
  WITH looked AS MATERIALIZED (
    SELECT o.order_id, o.paid_at, o.redacted_at FROM public.orders o
    WHERE o.shop = of_shop AND o.paid_at < horizon
      AND (behind IS NULL OR (o.paid_at, o.order_id) > ((behind->>0)::timestamptz, behind->>1))
    ORDER BY o.paid_at, o.order_id LIMIT 1000
  ), over AS MATERIALIZED (
    -- By a value of each order: as a join, the planner reads the requests of all shops.
    SELECT o.order_id FROM looked o
    WHERE o.redacted_at < horizon
      AND NOT (SELECT coalesce(bool_or(r.redacted_at IS NULL OR r.redacted_at >= horizon OR r.state IN ('sending', 'ambiguous')), false)
               FROM public.referral_requests r WHERE r.shop = of_shop AND r.order_id = o.order_id)
  ), old AS MATERIALIZED (
    SELECT line.id FROM over o CROSS JOIN LATERAL (
      SELECT t.id FROM public.timeline t
      WHERE t.shop = of_shop AND t.order_id = o.order_id AND t.at < horizon
        AND t.kind NOT IN ('create_unknown', 'create_interrupted')
      LIMIT 1000) AS line
    LIMIT 1000
  ), gone AS (
    DELETE FROM public.timeline t USING old WHERE t.shop = of_shop AND t.id = old.id RETURNING t.id
  )
  SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM looked),
         (SELECT jsonb_build_array(paid_at, order_id) FROM looked ORDER BY paid_at DESC, order_id DESC LIMIT 1)
  INTO ended, looked_at, last;
  RETURN jsonb_build_object('ended', ended, 'more', ended = 1000 OR looked_at = 1000,
    'behind', CASE WHEN ended = 1000 THEN behind ELSE last END);
END $$;

-- ---------------------------------------------------------------------------------------------------------------- access

-- Lists what roles may do, and by which policies they see rows, at this moment. The list is noted below, and compared with that by a process.
-- Names and texts alone, which a dump and its copy have too. A table of ours is one with the owner's policy: an administrator has others.
CREATE OR REPLACE FUNCTION present_access() RETURNS TABLE (role text, table_name text, privilege text)
LANGUAGE sql STABLE SET search_path = public AS $$
  WITH schemas AS MATERIALIZED (
    SELECT oid, nspname, nspowner, nspacl FROM pg_namespace WHERE nspname IN ('public', 'pgboss')
  ), things AS (
    SELECT 'schema ' || nspname AS name, nspowner AS owner, nspacl AS acl FROM schemas
    UNION ALL
    SELECT c.oid::regclass::text, relowner, relacl FROM pg_class c JOIN schemas s ON s.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'S')
    UNION ALL
    SELECT format('%s(%I)', c.oid::regclass, attname), relowner, attacl
    FROM pg_class c JOIN schemas s ON s.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid
    WHERE attacl IS NOT NULL
    UNION ALL
    SELECT p.oid::regprocedure::text, proowner, proacl FROM pg_proc p JOIN schemas s ON s.oid = pronamespace
  ), policies AS MATERIALIZED (
    SELECT polrelid::regclass::text AS on_table, roles, format('policy %s (%s)', polname, left(encode(sha256(convert_to(ROW(
             polpermissive, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid), roles)::text, 'UTF8')), 'hex'), 16)) AS said
    FROM pg_policy JOIN pg_class c ON c.oid = polrelid JOIN schemas s ON s.oid = relnamespace
    CROSS JOIN LATERAL (SELECT ARRAY(
      SELECT CASE r WHEN 0 THEN 'PUBLIC' WHEN ours.relowner THEN 'owner' ELSE pg_get_userbyid(r)::text END
      FROM unnest(polroles) AS r, pg_class ours WHERE ours.oid = '_prisma_migrations'::regclass ORDER BY 1)) AS named (roles)
    WHERE polrelid IN (SELECT polrelid FROM pg_policy WHERE polname = 'owner_v1')
  )
  SELECT DISTINCT rolname::text, things.name, privilege_type
  FROM things, aclexplode(acl) JOIN pg_roles r ON r.oid = grantee
  WHERE rolname IN ('pathway_tenant', 'pathway_web', 'pathway_worker', 'pathway_intake') AND r.oid <> owner
  UNION ALL
  SELECT unnest(roles), on_table, said FROM policies
$$;

-- ---------------------------------------------------------------------------------------------------------------- grants

-- A table of ours that somebody else has taken would be passed over below as an administrator's own.
DO $$
DECLARE fault text;
BEGIN
  SELECT format('%s belongs to %I: an administrator has to run "ALTER TABLE %s OWNER TO %I"',
    c.oid::regclass, pg_get_userbyid(c.relowner), c.oid::regclass, current_user) INTO fault
  FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
  WHERE p.polname = 'owner_v1' AND NOT pg_has_role(c.relowner, 'USAGE') ORDER BY 1 LIMIT 1;
  IF fault IS NOT NULL THEN RAISE EXCEPTION '%', fault; END IF;
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
-- A temporary table would stand before the real one of its name, for whoever gets the connection next.
DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$;
GRANT USAGE ON SCHEMA public TO pathway_tenant, pathway_web, pathway_worker, pathway_intake;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
-- What an administrator has put here, such as an extension's functions and views, is not ours to give or take.
DO $$
DECLARE thing text;
BEGIN
  FOR thing IN
    SELECT 'ROUTINE ' || oid::regprocedure FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND pg_has_role(proowner, 'USAGE')
    UNION ALL
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || oid::regclass FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND pg_has_role(relowner, 'USAGE')
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM PUBLIC, pathway_tenant, pathway_web, pathway_worker, pathway_intake', thing);
  END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION live_identity(), entered_shop()
  TO pathway_tenant, pathway_web, pathway_worker, pathway_intake;
GRANT EXECUTE ON FUNCTION present_access(), is_process(), enter_process(text) TO pathway_web, pathway_worker, pathway_intake;
GRANT EXECUTE ON FUNCTION enter_shop(text, text), refuse_another_database(boolean, boolean)
  TO pathway_web, pathway_worker;
GRANT EXECUTE ON FUNCTION body_came_otherwise(bytea, text, text), has_other_name(), ordered_under_other_name(text),
  other_name_that_ordered(text, text), present_name() TO pathway_tenant;
GRANT EXECUTE ON FUNCTION erase_shop(text), end_tombstones(text, bigint[]), end_timeline(text, timestamptz, jsonb),
  logs_to_seal(text) TO pathway_worker;

-- By column too, which REVOKE ON ALL TABLES leaves.
DO $$
DECLARE granted record;
BEGIN
  FOR granted IN
    SELECT c.oid::regclass AS name, quote_ident(a.attname) AS col, x.privilege_type AS privilege, r.rolname AS role
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid, aclexplode(a.attacl) x JOIN pg_roles r ON r.oid = x.grantee
    WHERE c.relnamespace = 'public'::regnamespace AND r.rolname LIKE 'pathway\_%' AND r.oid <> c.relowner
      AND pg_has_role(c.relowner, 'USAGE')
  LOOP
    EXECUTE format('REVOKE %s (%s) ON %s FROM %I', granted.privilege, granted.col, granted.name, granted.role);
  END LOOP;
END $$;

-- Whatever one shop does, within its own rows.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  alert_mails, alert_recipients, attention_news, batch_items, batches, catalogues, connections, customer_merges,
  details_drafts, document_bodies, document_tickets, documents, export_tickets, inbox, leases, mappings, notifications, order_imports, order_lines, order_words, orders, outbox,
  patient_corrections, patient_links, patient_sessions, practitioners, privacy_requests, published_details,
  referral_requests, referrals, result_shares, results, saved_patients, saved_views, sessions, shops, simulations, staff_members,
  step_up_codes, store_readings, store_variants, unclaimed_referrals, unreadable_entries
  TO pathway_tenant;
-- Evidence stays as it was written: what happened, who looked, what was agreed to, what was erased.
GRANT SELECT, INSERT ON access_log, access_log_seals, notice_wordings, timeline, tombstones TO pathway_tenant;
-- These end with the patient's data.
GRANT SELECT, INSERT, DELETE ON consents, staff_access, data_keys TO pathway_tenant;
-- These end after a while.
GRANT SELECT, INSERT, DELETE ON former_objects, mapping_changes TO pathway_tenant;
GRANT SELECT ON key_epochs, resealings, database_identity TO pathway_tenant;
GRANT USAGE ON SEQUENCE timeline_id_seq, inbox_id_seq, outbox_id_seq, mapping_changes_id_seq TO pathway_tenant;

-- What web and worker do for all shops, on connections of the process: the relay, keys, sessions, tokens, leases,
-- heartbeats, and the pause of a database that was restored.
GRANT SELECT ON _prisma_migrations, access_grants, database_identity TO pathway_web, pathway_worker, pathway_intake;
GRANT INSERT, UPDATE ON database_identity TO pathway_web, pathway_worker;
GRANT SELECT, UPDATE ON inbox, connections, shop_keys TO pathway_web, pathway_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  outbox, data_keys, key_epochs, leases, loop_heartbeats, sessions TO pathway_web, pathway_worker;
GRANT SELECT, INSERT ON key_store TO pathway_web, pathway_worker;
GRANT SELECT, INSERT, UPDATE ON order_imports TO pathway_web, pathway_worker;
GRANT SELECT, UPDATE (scope, access_refused_at) ON shops TO pathway_web, pathway_worker;
GRANT SELECT ON resealings, tombstones TO pathway_web, pathway_worker;
GRANT SELECT (kind, opened_at, done_at, receipt) ON privacy_requests TO pathway_web;
GRANT SELECT (shop, id, at) ON timeline TO pathway_web, pathway_worker;
GRANT SELECT (shop, environment, service_created_at) ON referrals TO pathway_web, pathway_worker;
GRANT USAGE ON SEQUENCE outbox_id_seq TO pathway_web, pathway_worker;

-- What only the worker does for all shops: it finds work that stands still, chains the audit, seals anew, erases.
GRANT SELECT ON attention_news, batches, privacy_requests, access_log_seals TO pathway_worker;
GRANT SELECT (shop, id) ON access_log TO pathway_worker;
GRANT INSERT, SELECT ON erasures TO pathway_worker;
GRANT INSERT, UPDATE (kept_at) ON tombstones TO pathway_worker;
GRANT INSERT, UPDATE, DELETE ON resealings TO pathway_worker;
GRANT DELETE ON shop_keys TO pathway_worker;
GRANT SELECT ON alert_recipients, batch_items, details_drafts, document_bodies, mapping_changes, mappings, orders,
  patient_corrections, referral_requests, referrals, result_shares, results, saved_patients TO pathway_worker;
GRANT SELECT (shop, id, request_id) ON documents TO pathway_worker;
GRANT UPDATE (patient_sealed, invited_email_sealed) ON referral_requests TO pathway_worker;
GRANT UPDATE (patient_sealed) ON patient_corrections TO pathway_worker;
GRANT UPDATE (answers_sealed) ON details_drafts TO pathway_worker;
GRANT UPDATE (details_sealed) ON saved_patients TO pathway_worker;
GRANT UPDATE (snapshot_sealed) ON referrals TO pathway_worker;
GRANT UPDATE (snapshot_sealed, release_sealed) ON results TO pathway_worker;
GRANT UPDATE (secret_sealed) ON result_shares TO pathway_worker;
GRANT UPDATE (body_sealed) ON document_bodies TO pathway_worker;
GRANT UPDATE (buyer_sealed) ON orders TO pathway_worker;
GRANT UPDATE (export_sealed) ON privacy_requests TO pathway_worker;
GRANT UPDATE (clinical_notes_sealed, preparation_sealed) ON mappings TO pathway_worker;
GRANT UPDATE (before_sealed) ON mapping_changes TO pathway_worker;
GRANT UPDATE (detail_sealed) ON batch_items TO pathway_worker;
GRANT UPDATE (email_sealed) ON alert_recipients TO pathway_worker;

-- The intake finds a connection by its address, and stores what came, sealed. Keys are wrapped by keys that are
-- not in the database, and it can read nothing that they seal but the secrets of connections.
GRANT INSERT ON inbox TO pathway_intake;
GRANT SELECT ON data_keys, shop_keys TO pathway_intake;
GRANT USAGE ON SEQUENCE inbox_id_seq TO pathway_intake;
GRANT SELECT (shop, uninstalled_at) ON shops TO pathway_intake;
GRANT SELECT (shop, environment, address_hash, signing_scheme, signing_header, signing_secret_sealed,
  previous_signing_secret_sealed, previous_secret_until) ON connections TO pathway_intake;

-- The job engine's tables, where it has made them.
DO $$
BEGIN
  IF to_regnamespace('pgboss') IS NULL THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA pgboss TO pathway_web, pathway_worker;
  REVOKE ALL ON ALL TABLES IN SCHEMA pgboss FROM PUBLIC, pathway_tenant, pathway_intake;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO pathway_web, pathway_worker;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA pgboss TO pathway_web, pathway_worker;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO pathway_web, pathway_worker;
END $$;

-- -------------------------------------------------------------------------------------------------- row-level security

-- On every table of the owner's, whichever migration made it. A policy is made anew only when it is not the one that is wanted, because that
-- locks its table. The wanted one is what was made under its name, as it was noted then: PostgreSQL writes a condition in words of its own.
DO $$
DECLARE
  t record;
  wanted record;
  unchanged text[] := ARRAY(
    SELECT table_name || ' ' || split_part(privilege, ' (', 1)
    FROM (TABLE access_grants INTERSECT SELECT * FROM present_access()) AS kept WHERE privilege LIKE 'policy %');
BEGIN
  FOR t IN
    SELECT c.oid::regclass AS name, c.oid, c.relowner::regrole AS owner, n.nspname AS schema, c.relname,
           c.relrowsecurity AND c.relforcerowsecurity AS forced,
           (SELECT attname FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT attisdropped
              AND a.attname = CASE c.relname WHEN 'tombstones' THEN 'store' ELSE 'shop' END) AS shop
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'pgboss') AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'USAGE')
    ORDER BY 1
  LOOP
    IF NOT t.forced THEN
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.name);
      EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t.name);
    END IF;
    FOR wanted IN
      -- A version in the name: whoever changes what a policy says counts it up.
      SELECT * FROM (VALUES
        ('owner_v1', t.owner::text, 'true', true),
        ('process_v1', 'pathway_web, pathway_worker, pathway_intake', '(SELECT public.is_process())',
          t.schema = 'pgboss' OR t.relname NOT IN ('tenant_keys', '_prisma_migrations', 'access_grants', 'database_identity')),
        ('own_shop_v1', 'pathway_tenant', format('(%I = (SELECT public.entered_shop()))', coalesce(t.shop, 'shop')),
          t.schema = 'public' AND t.shop IS NOT NULL AND t.relname <> 'shop_keys'),
        -- Which database this is and what it should be like is no secret, and the first thing that is asked.
        ('anybody_v1', 'pathway_tenant, pathway_web, pathway_worker, pathway_intake', 'true',
          t.schema = 'public' AND t.relname IN ('_prisma_migrations', 'access_grants', 'database_identity'))
      ) AS p(name, roles, condition, holds)
    LOOP
      -- Another owner than before, of a copy that somebody else restored, changes the owner's policy too.
      CONTINUE WHEN wanted.holds AND t.name || ' policy ' || wanted.name = ANY (unchanged);
      EXECUTE format('DROP POLICY IF EXISTS %I ON %s', wanted.name, t.name);
      IF wanted.holds THEN
        EXECUTE format('CREATE POLICY %I ON %s TO %s USING (%s) WITH CHECK (%s)',
          wanted.name, t.name, wanted.roles, wanted.condition, wanted.condition);
      END IF;
    END LOOP;
    FOR wanted IN
      SELECT polname AS name FROM pg_policy WHERE polrelid = t.oid
        AND polname NOT IN ('owner_v1', 'process_v1', 'own_shop_v1', 'anybody_v1')
    LOOP
      EXECUTE format('DROP POLICY %I ON %s', wanted.name, t.name);
    END LOOP;
  END LOOP;
END $$;

-- A process compares this with what is, before it starts and again and again while it works.
DELETE FROM access_grants;
INSERT INTO access_grants (role, table_name, privilege) SELECT * FROM present_access();
