import type { AccessEntry, AccessKind, AccessParty } from "../kernel/access-log.ts";

const WHO: Record<AccessParty, string> = {
  staff: "A member of the shop's staff",
  customer: "Somebody signed in to the account",
  link: "Somebody with an emailed link",
  share: "Somebody with a shared link and its passcode",
};

const WHAT: Record<AccessKind, string> = {
  details_viewed: "opened the details",
  details_saved: "saved the details",
  form_opened: "opened the referral form",
  result_viewed: "opened the results",
  report_opened: "opened the result report",
  result_taken_as_fhir: "downloaded the results as FHIR",
  everything_exported: "downloaded everything",
  share_created: "made a shared link",
  share_opened: "opened the shared results",
  share_ended: "ended a shared link",
  visits_ended: "signed out everywhere",
  data_erased: "had the data deleted",
  results_unlocked: "gave a reason to see the results",
  data_export_opened: "opened the data that the shop keeps for an access request",
};

/** One line of the access log as a sentence, without a full stop. */
export const sayAccess = ({ who, what }: Pick<AccessEntry, "who" | "what">): string =>
  `${WHO[who]} ${WHAT[what]}`;
