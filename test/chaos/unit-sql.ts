/** How many referrals a unit `r` is made of: a private one, one under Medicare, or both. */
export const REFERRALS_DUE = `((r.bundle_id IS NOT NULL OR r.tests <> '{}')::int + (r.medicare_tests <> '{}')::int)`;

/** The number of them whose form is stored. */
export const FORMS_STORED = `(SELECT count(DISTINCT d.source_uuid)::int FROM documents d
  WHERE d.shop = r.shop AND d.request_id = r.id AND d.kind = 'referral')`;
