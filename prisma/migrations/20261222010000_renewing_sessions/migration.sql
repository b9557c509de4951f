-- Since when a session's refresh token may have been sent, with no answer that was stored (docs/decisions/0023). Null for every other.
ALTER TABLE "sessions" ADD COLUMN "renewing_since" TIMESTAMPTZ(6);
