-- Since when a connection has its secrets: two people who have the form open at once compare this, never a secret.
ALTER TABLE "connections" ADD COLUMN "credentials_at" TIMESTAMPTZ(6), ADD COLUMN "signing_secret_at" TIMESTAMPTZ(6);
