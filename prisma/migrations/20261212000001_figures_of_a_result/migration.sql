-- When the figures of a result, as they are stored, were first read; null for those of an earlier version. A patient who was told before
-- was told of others.
ALTER TABLE "results" ADD COLUMN "figures_at" TIMESTAMPTZ(6);
