-- Tables and columns by the field's terms (docs/decisions/0032). Only names change: rows, keys and policies stay. The names
-- that sealed columns are authenticated with are constants of the program.
ALTER TABLE "catch_ups" RENAME TO "order_imports";
ALTER TABLE "order_imports" RENAME CONSTRAINT "catch_ups_pkey" TO "order_imports_pkey";
ALTER INDEX "catch_ups_shop_started_at_idx" RENAME TO "order_imports_shop_started_at_idx";
ALTER INDEX "catch_ups_running" RENAME TO "order_imports_running";

ALTER TABLE "rehearsals" RENAME TO "simulations";
ALTER TABLE "simulations" RENAME CONSTRAINT "rehearsals_pkey" TO "simulations_pkey";
ALTER INDEX "rehearsals_shop_started_at_idx" RENAME TO "simulations_shop_started_at_idx";
ALTER INDEX "rehearsals_running" RENAME TO "simulations_running";

ALTER TABLE "reveals" RENAME TO "staff_access";
ALTER TABLE "staff_access" RENAME COLUMN "revealed_at" TO "opened_at";
ALTER TABLE "staff_access" RENAME CONSTRAINT "reveals_pkey" TO "staff_access_pkey";
ALTER INDEX "reveals_shop_request_id_idx" RENAME TO "staff_access_shop_request_id_idx";

ALTER TABLE "privacy_duties" RENAME TO "privacy_requests";
ALTER TABLE "privacy_requests" RENAME COLUMN "duty" TO "kind";
ALTER TABLE "privacy_requests" RENAME COLUMN "package_sealed" TO "export_sealed";
ALTER TABLE "privacy_requests" RENAME CONSTRAINT "privacy_duties_pkey" TO "privacy_requests_pkey";

ALTER TABLE "connections" RENAME COLUMN "tailed_through" TO "synced_through";
ALTER TABLE "connections" RENAME COLUMN "tail_list" TO "sync_list";
ALTER TABLE "connections" RENAME COLUMN "tail_cursor" TO "sync_cursor";
ALTER TABLE "connections" RENAME COLUMN "tail_started_at" TO "sync_started_at";
ALTER TABLE "connections" RENAME COLUMN "tail_floor" TO "sync_lower_bound";
ALTER TABLE "connections" RENAME COLUMN "tail_pages" TO "sync_pages";

ALTER TABLE "orders" RENAME COLUMN "lane" TO "order_mode";
ALTER TABLE "referral_requests" RENAME COLUMN "lane" TO "order_mode";

ALTER TABLE "referral_requests" RENAME COLUMN "holder" TO "owner";
ALTER TABLE "referral_requests" RENAME COLUMN "holder_email_sealed" TO "invited_email_sealed";
ALTER TABLE "referral_requests" RENAME COLUMN "handed_over_at" TO "invited_at";
ALTER TABLE "referral_requests" RENAME COLUMN "claimed_at" TO "accepted_at";
