-- When the shop first got the app; null for one that got it from an earlier version. An order that was placed before is none of the
-- app's to handle by itself.
ALTER TABLE "shops" ADD COLUMN "first_installed_at" TIMESTAMPTZ(6);
