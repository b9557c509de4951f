-- PostgreSQL keeps samples of a column's values in its statistics, beyond the life of the rows, to plan statements that look for a value.
-- None looks for these: what is sealed, keys, names and addresses (docs/decisions/0210).
DO $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT a.attrelid::regclass AS of, quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
      AND (a.attname LIKE '%\_sealed' OR (c.relname, a.attname) IN (
        ('data_keys', 'wrapped_key'), ('shop_keys', 'wrapped_key'), ('tenant_keys', 'inner_pad'), ('tenant_keys', 'outer_pad'),
        ('shops', 'reviewer_name'), ('shops', 'reviewer_phone'), ('shops', 'reviewer_email'),
        ('shops', 'clinical_contact_name'), ('shops', 'clinical_contact_phone'), ('shops', 'help_email'), ('shops', 'help_phone'),
        ('shops', 'contact_email'), ('shops', 'notice_complaints'), ('referral_requests', 'practitioner'),
        ('practitioners', 'name'), ('practitioners', 'address'), ('practitioners', 'label'),
        ('staff_members', 'name'), ('access_log', 'actor_name'), ('staff_access', 'reason'), ('staff_access', 'case_number'),
        ('notifications', 'recipient'), ('patient_links', 'recipient')))
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %s SET STATISTICS 0', one.of, one.name);
    -- The same type: nothing is written anew, and the samples of before go.
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %s TYPE %s', one.of, one.name, one.type);
  END LOOP;
END $$;
