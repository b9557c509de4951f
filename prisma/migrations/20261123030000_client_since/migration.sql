-- Since when a connection's credentials are this client's; null when they never were another's. The lists that they
-- read say nothing about what was sent before.
ALTER TABLE "connections" ADD COLUMN "client_since" TIMESTAMPTZ(6);
