-- How customers and patients reach the shop, on every page and in every email.
ALTER TABLE "shops" ADD COLUMN "help_email" TEXT, ADD COLUMN "help_phone" TEXT, ADD COLUMN "help_hours" TEXT;
