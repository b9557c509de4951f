-- How each background loop of each process is. No shop's data is in it, and a tenant's role has no right to it.
CREATE TABLE "loop_heartbeats" (
    "process_id" UUID NOT NULL,
    "loop" TEXT NOT NULL,
    "roles" TEXT[],
    "last_success_at" TIMESTAMPTZ(6),
    "failing_since" TIMESTAMPTZ(6),
    "failures" INTEGER NOT NULL,
    "error_code" TEXT,
    "hanging_since" TIMESTAMPTZ(6),
    "clock_skew_ms" INTEGER,
    "beat_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "loop_heartbeats_pkey" PRIMARY KEY ("process_id","loop")
);
-- Every row is written anew every few seconds: room for the next version stays on its page.
ALTER TABLE "loop_heartbeats" SET (fillfactor = 50);

-- Since when a row waits to be handed on.
ALTER TABLE "outbox" ADD COLUMN "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;
