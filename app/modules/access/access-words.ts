import type { AccessEntry, AccessKind, AccessParty, SettingKind } from "../kernel/access-log.ts";

const WHO: Record<AccessParty, string> = {
  staff: "A member of the shop's staff",
  customer: "Somebody signed in to the account",
  link: "Somebody with an emailed link",
  share: "Somebody with a shared link and its passcode",
  job: "Pathway",
  operator: "The operator of Pathway",
  unknown: "Somebody who was not recognised",
};

/** The deeds that are about a person's test. What is about settings is worded with the settings. */
type PersonalKind = Exclude<AccessKind, SettingKind | "operator_command"> | "staff_refused";

const WHAT: Record<PersonalKind, string> = {
  details_viewed: "opened the details",
  phone_viewed: "saw the phone number, to ring about the test",
  address_viewed: "saw the email address, to say where emails went",
  mail_sent_again: "had an email sent again",
  link_copied: "copied a link to the order, which opens no details and no results",
  details_saved: "saved the details",
  details_sent: "sent the details to the pathology service",
  form_opened: "opened the referral form",
  result_viewed: "opened the results",
  report_opened: "opened the result report",
  result_taken_as_fhir: "downloaded the results as FHIR",
  everything_exported: "downloaded everything",
  share_created: "made a shared link",
  share_opened: "opened the shared results",
  share_ended: "ended a shared link",
  visits_ended: "ended all visits by emailed links",
  code_refused: "entered a wrong six-digit code",
  data_erased: "had the data deleted",
  results_hidden: "withdrew the consent and hid the results",
  results_shown_again: "showed the results again",
  results_unlocked: "gave a reason to see the results",
  results_released: "released the results",
  staff_refused: "was not allowed to see or release the results",
  data_export_made: "put together the data for an access request",
  saved_patient_added: "saved these details for the next tests",
  saved_patient_viewed: "opened the saved details",
  saved_patient_changed: "changed the saved details",
  saved_patient_deleted: "deleted the saved details",
  data_export_opened: "opened the data that the shop keeps for an access request",
};

const isPersonal = (what: AccessKind): what is PersonalKind => what in WHAT;

/** One line of the access log as a sentence, without a full stop. `name`: of the member of staff, for their colleagues. */
export const sayAccess = (
  { who, what }: Pick<AccessEntry, "who" | "what">,
  name?: string | null,
): string =>
  who === "share" && what === "code_refused"
    ? "Somebody with a shared link entered a wrong passcode"
    : `${name ?? WHO[who]} ${isPersonal(what) ? WHAT[what] : "did something else"}`;
