-- The rules of the stage are the app's alone (docs/decisions/0028): whoever changes a request writes where it stands. What
-- is stored stays as it is; maintenance compares it with the rules.
DROP TRIGGER request_1_join ON "referral_requests";
DROP TRIGGER request_2_place ON "referral_requests";
DROP TRIGGER request_3_real ON "referral_requests";
DROP TRIGGER request_4_milestone ON "referral_requests";
DROP TRIGGER order_1_place ON "orders";
DROP TRIGGER order_2_requests ON "orders";
DROP TRIGGER order_3_milestone ON "orders";
DROP TRIGGER referral_1_lock ON "referrals";
DROP TRIGGER referral_2_restage ON "referrals";
DROP TRIGGER referral_3_restage ON "referrals";
DROP TRIGGER referral_4_milestone ON "referrals";
DROP TRIGGER referral_5_milestone ON "referrals";
DROP TRIGGER result_1_lock ON "results";
DROP TRIGGER result_2_restage ON "results";
DROP TRIGGER result_3_restage ON "results";
DROP TRIGGER pause_new_connection ON "connections";

DROP FUNCTION pathway_join_order();
DROP FUNCTION pathway_place_request();
DROP FUNCTION pathway_order_is_real();
DROP FUNCTION pathway_request_milestone();
DROP FUNCTION pathway_place_order();
DROP FUNCTION pathway_take_along();
DROP FUNCTION pathway_order_milestone();
DROP FUNCTION pathway_lock_request();
DROP FUNCTION pathway_restage_request();
DROP FUNCTION pathway_referral_milestone();
DROP FUNCTION pathway_tell_store(text, text, uuid, text);
DROP FUNCTION pause_new_connection();

-- An order's reason follows from its own row: what was handled needs nobody.
ALTER TABLE "orders" ADD CONSTRAINT "orders_reason_follows" CHECK (
  "reason" IS NOT DISTINCT FROM CASE WHEN "handled_reason" IS DISTINCT FROM "attention" THEN "attention" END
) NOT VALID;
