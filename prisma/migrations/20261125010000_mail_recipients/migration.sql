-- A keyed hash of the address that took a mail, so that staff are told whether it is the one that is known now.
ALTER TABLE "notifications" ADD COLUMN "recipient" BYTEA;
