-- Two mails to one person can be on their way at once. A newer link replaces only links whose mail had left before it.
ALTER TABLE "patient_links" ADD COLUMN "mailed_at" TIMESTAMPTZ(6);
