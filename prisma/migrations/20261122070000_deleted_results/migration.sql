-- A result that the service has taken back (interface §2.2, deletedAt): nobody opens it, and nobody is to release it.
ALTER TABLE "results" ADD COLUMN "deleted_at" TIMESTAMPTZ(6);

CREATE OR REPLACE FUNCTION pathway_place_request() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_complete boolean;
  holds_results boolean := false;
  why text;
BEGIN
  IF NEW.state = 'created' THEN
    SELECT bool_and(status = 'COMPLETE') INTO is_complete FROM referrals
    WHERE shop = NEW.shop AND request_id = NEW.id AND deleted_at IS NULL AND replaced_by IS NULL;
    holds_results := EXISTS (
      SELECT FROM results
      WHERE shop = NEW.shop AND request_id = NEW.id
        AND released_at IS NULL AND NOT in_review AND deleted_at IS NULL);
  END IF;
  why := CASE WHEN NEW.state = 'cancelled' THEN NULL
              WHEN NEW.attention IS NOT NULL THEN NEW.attention
              WHEN NEW.replaced_by IS NOT NULL AND NEW.state <> 'created' THEN NULL
              WHEN NEW.state IN ('held', 'rejected') THEN NEW.state
              WHEN holds_results THEN 'results_held' END;
  IF NEW.handled_reason IS DISTINCT FROM why THEN NEW.handled_reason := NULL; END IF;
  NEW.reason := CASE WHEN NEW.handled_reason IS NULL THEN why END;
  NEW.stage := CASE WHEN NEW.state = 'cancelled' THEN 'cancelled'
                    WHEN NEW.reason IS NOT NULL THEN 'attention'
                    WHEN NEW.state = 'rejected' THEN 'cancelled'
                    WHEN NEW.state = 'awaiting_details' THEN 'awaiting_details'
                    WHEN NEW.replaced_by IS NOT NULL AND is_complete IS NULL THEN 'cancelled'
                    WHEN is_complete THEN 'results_ready'
                    ELSE 'in_progress' END;
  RETURN NEW;
END $$;

DROP TRIGGER result_3_restage ON "results";
CREATE TRIGGER result_3_restage AFTER UPDATE OF released_at, in_review, deleted_at, request_id ON "results"
  FOR EACH ROW WHEN ((OLD.released_at, OLD.in_review, OLD.deleted_at, OLD.request_id)
    IS DISTINCT FROM (NEW.released_at, NEW.in_review, NEW.deleted_at, NEW.request_id))
  EXECUTE FUNCTION pathway_restage_request();
