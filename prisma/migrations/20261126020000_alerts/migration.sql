-- The people whom the shop's alerts are emailed to, each with the kinds they want. The shop's contact address has a row
-- without an address of its own, once somebody has changed its kinds.
CREATE TABLE "alert_recipients" (
  "shop" TEXT NOT NULL,
  "id" UUID NOT NULL,
  "email_sealed" BYTEA,
  "kinds" TEXT[],
  "stopped" TEXT[],
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "alert_recipients_pkey" PRIMARY KEY ("shop", "id")
);

-- One email of an alert to one person: noted with the fact that calls for it, and sent once.
CREATE TABLE "alert_mails" (
  "shop" TEXT NOT NULL,
  "id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "occurrence" TEXT NOT NULL,
  "recipient" BYTEA NOT NULL,
  "facts" JSONB NOT NULL,
  "noted_at" TIMESTAMPTZ(6) NOT NULL,
  "sent_at" TIMESTAMPTZ(6),
  "refused_at" TIMESTAMPTZ(6),

  CONSTRAINT "alert_mails_pkey" PRIMARY KEY ("shop", "id")
);

CREATE UNIQUE INDEX "alert_mails_shop_kind_occurrence_recipient_key"
  ON "alert_mails" ("shop", "kind", "occurrence", "recipient");
