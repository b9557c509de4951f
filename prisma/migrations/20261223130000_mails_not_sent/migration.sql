-- Until when another job tries a mail that the server has had and did not answer for (docs/decisions/0152), and since when the server puts a
-- mail off. Former versions keep both in the place of a mail's recipient. Beside them a mail may come once more, or be put off for a day again.
ALTER TABLE "notifications"
  ADD COLUMN "unclear_until" TIMESTAMPTZ(6),
  ADD COLUMN "put_off_since" TIMESTAMPTZ(6),
  ADD COLUMN "put_off_last" TIMESTAMPTZ(6),
  ADD COLUMN "put_off_by" BYTEA;
ALTER TABLE "notifications" ALTER COLUMN "put_off_by" SET STATISTICS 0;
ALTER TABLE "alert_mails"
  ADD COLUMN "put_off_since" TIMESTAMPTZ(6),
  ADD COLUMN "put_off_last" TIMESTAMPTZ(6);
