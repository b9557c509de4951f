-- Since when a form or report is looked for that the service has not given: a person is told once it takes too long.
ALTER TABLE "referrals" ADD COLUMN "pdf_awaited_since" TIMESTAMPTZ(6);
ALTER TABLE "results" ADD COLUMN "pdf_awaited_since" TIMESTAMPTZ(6);

-- The version of the interface that the connection's organisation has (interface §9); null while it was not found out.
ALTER TABLE "connections" ADD COLUMN "api_version" TEXT;
