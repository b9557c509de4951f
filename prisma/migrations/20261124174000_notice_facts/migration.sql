-- What a shop's collection notice says besides what Pathway knows. Empty until the merchant answers: the notice then says so.
ALTER TABLE "shops" ADD COLUMN "notice_recipient" TEXT;
ALTER TABLE "shops" ADD COLUMN "notice_overseas" BOOLEAN;
ALTER TABLE "shops" ADD COLUMN "notice_countries" TEXT;
ALTER TABLE "shops" ADD COLUMN "notice_policy_url" TEXT;
ALTER TABLE "shops" ADD COLUMN "notice_complaints" TEXT;
