-- Why a signed message of the store was not acted on, as a code; null for every other message.
ALTER TABLE "inbox" ADD COLUMN "refusal" TEXT;
