-- Of what a run is about: the reasons that were chosen of those for which the order needs a person. None: any.
ALTER TABLE "bulk_run_orders" ADD COLUMN "reasons" TEXT[] NOT NULL DEFAULT '{}';
