-- Since when no mail reaches whoever holds the unit: the outgoing server refused their address for good.
ALTER TABLE "referral_requests" ADD COLUMN "mail_refused_at" TIMESTAMPTZ(6);
