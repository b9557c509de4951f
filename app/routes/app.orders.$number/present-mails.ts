import { countOf } from "../../modules/kernel/words.ts";
import { MAIL_NAMES, triedFor } from "../../modules/notifications/mail-words.ts";
import type { MailOutcome, MailReader, OrderMail } from "../../modules/notifications/read-mails.ts";
import type { ReminderState } from "../../modules/notifications/read-reminders.ts";

export type MailView = ReturnType<typeof presentMail>;
export type ReminderView = ReturnType<typeof presentReminders>;

const READERS: Record<MailReader, string> = {
  customer: "the customer",
  patient: "the patient",
  shop: "your shop",
  earlier: "an earlier address",
  unknown: "an address that isn’t recorded",
};

const ERASED = "an address that was erased";

const OUTCOMES: Record<
  MailOutcome["kind"],
  { name: string; tone?: "success" | "critical" | "attention"; help: string | null }
> = {
  accepted: { name: "Accepted", tone: "success", help: null },
  unclear: {
    name: "Not confirmed",
    tone: "attention",
    help: "The mail server had this email and never said whether it passes it on. Ask the reader whether it came.",
  },
  refused: {
    name: "Refused",
    tone: "critical",
    help: "The mail server refused the address. Correct it in Shopify, then send again.",
  },
  undelivered: {
    name: "Not delivered",
    tone: "critical",
    help: "The mail server put it off each time, so the address may be right. Send again. If that fails too, ring and ask for another address.",
  },
  no_address: {
    name: "Waiting",
    tone: "attention",
    help: "The order has no email address. Add one in Shopify: Pathway then sends it by itself.",
  },
  withheld: {
    name: "Waiting",
    tone: "attention",
    help: "It waits, because an earlier email to this address couldn’t be delivered.",
  },
  waiting: {
    name: "To be sent",
    tone: "attention",
    help: "Pathway sends it by itself. Emails about one order that come close together are sent as one.",
  },
  dropped: { name: "Not sent", help: "It wasn’t needed any more." },
};

/** One email in words: its name, who got it, and what became of it. */
export function presentMail(
  mail: OrderMail,
  about: (requestId: string) => string | null,
  { isErased }: { isErased: boolean },
) {
  const { kinds, requestIds, reader, address, outcome, again } = mail;
  const [kind = "state_changed"] = kinds;
  const [requestId = ""] = requestIds;
  const nameless = isErased && reader === "unknown" ? ERASED : READERS[reader];
  const { name: outcomeName, tone, help } = OUTCOMES[outcome.kind];
  const tried = outcome.kind === "undelivered" ? triedFor(outcome.triedForHours) : null;
  return {
    id: `${requestId} ${kind} ${outcome.kind} ${outcome.at.getTime()}`,
    name: kinds.map((one) => MAIL_NAMES[one]).join(" · "),
    to: address ? `To ${READERS[reader]}, ${address}` : `To ${nameless}`,
    about: requestIds.length > 1 ? countOf(requestIds.length, "test") : about(requestId),
    at: outcome.at.toISOString(),
    outcome: {
      name: outcomeName,
      tone,
      help: tried ? `It couldn’t be delivered in ${tried}. ${help}` : help,
    },
    again: again && {
      address: again.address,
      fields: fieldsOf(again.by, { requestId, kind, sentAt: outcome.at.toISOString() }),
    },
  };
}

function fieldsOf(
  by: NonNullable<OrderMail["again"]>["by"],
  { requestId, kind, sentAt }: { requestId: string; kind: string; sentAt: string },
): Record<string, string> {
  switch (by) {
    case "asking":
      return { intent: "resend", requestId };
    case "asking_to_correct":
      return { intent: "ask-correction", requestId };
    case "repeating":
      return { intent: "send-again", requestId, kind, sentAt };
  }
}

const WHY_NONE: Record<NonNullable<ReminderState["whyNone"]>, string> = {
  not_asked_yet: "None yet: the first email hasn’t gone out.",
  no_address: "None: there’s no email address. Ring the customer, or add an address in Shopify.",
  unsubscribed: "None: they asked for no more reminders. Ring them, or send the email again.",
  refused: "None: an email couldn’t be delivered to this address. The list of emails says why.",
  under_age:
    "None: the date of birth given last is under your minimum age. “Resend request” starts them again.",
  last_one_sent: "None: the last reminder was sent.",
  over: "None: the time for reminders is over. Ring the customer, or send the email again.",
};

/** The same of a patient: their address is the buyer's to give. */
const NO_PATIENT =
  "None: there’s no email address. Ring the customer, and ask them to invite the patient again.";

/** Who still owes details, when they were last reminded, and when they are next or why not. */
export function presentReminders(
  states: ReminderState[],
  about: (requestId: string) => string | null,
) {
  return states.map(({ reader, requestIds, last, next, whyNone }) => ({
    id: `${reader} ${requestIds[0]}`,
    who: reader === "buyer" ? "The customer" : "The patient",
    about: requestIds.length > 1 ? countOf(requestIds.length, "test") : about(requestIds[0] ?? ""),
    last: last?.toISOString() ?? null,
    next: next?.toISOString() ?? null,
    whyNone:
      reader === "patient" && whyNone === "no_address" ? NO_PATIENT : whyNone && WHY_NONE[whyNone],
  }));
}
