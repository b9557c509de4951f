-- The key of the database's own signatures (prisma/access.sql, which sets it), and the end of its former place. Sequences, because what
-- one stands at is read without asking a table (docs/decisions/0209).
CREATE SEQUENCE signature_key_1 MINVALUE -9223372036854775808;
CREATE SEQUENCE signature_key_2 MINVALUE -9223372036854775808;
DELETE FROM tenant_keys WHERE id = 'context';
