import type { NotificationKind } from "../kernel/notification.ts";

/** For how long the mail server put an email off, in words. */
export const triedFor = (hours: number): string => (hours < 24 ? "an hour" : "a day");

/** The name of each email, as staff read it. It tells of nobody's results. */
export const MAIL_NAMES: Record<NotificationKind, string> = {
  details_needed: "Patient details needed",
  details_reminder: "Reminder: patient details needed",
  correction_needed: "Please check the details",
  correction_refused: "The details could not be changed",
  unit_for_you: "Invitation to the patient",
  link_renewed: "New link, as the reader asked",
  correction_link: "Link to change the details, as the reader asked",
  order_delayed: "Order delayed",
  form_ready: "Form ready",
  form_corrected: "Corrected form ready",
  results_available: "Results ready",
  results_today: "Please open your results today",
  state_changed: "News about the test",
  details_given: "Somebody gave your details",
  ring_today: "Please ring us today",
  review_due: "A result waits for its reviewer",
  review_today: "Review a result today",
  urgent_result_shown: "Ring the patient today",
  results_elsewhere: "Getting results without Pathway",
  patients_waiting: "Patients who wait for results",
  patient_unreachable: "An urgent email can’t be delivered",
};
