import { isStaffKind, type Mail, type NotificationKind } from "../../kernel/notification.ts";
import type { CustomerHelp } from "../../shops/customer-help.ts";
import { layOutEmail } from "../../shops/lay-out-email.ts";
import type { ClinicalContact } from "../../shops/shop.ts";

interface Text {
  subject: string;
  body: string;
  action: string;
}

/** Words for each kind of mail. What was ordered is not said: the name of a test tells of somebody's health. */
const TEXTS: Record<Exclude<NotificationKind, "unit_for_you">, Text> = {
  details_needed: {
    subject: "We need a few details for your order",
    body: "Thank you for your order. Before we can prepare it, we need to know who it is for.",
    action: "Add patient details",
  },
  details_reminder: {
    subject: "Reminder: we need a few details for your order",
    body: "We cannot prepare your order yet, because we do not know who it is for.",
    action: "Add patient details",
  },
  correction_needed: {
    subject: "Please check the details for your order",
    body: "Something in the details that you gave us doesn’t seem right. Please check them and correct what is wrong.",
    action: "Check the details",
  },
  correction_refused: {
    subject: "Your details could not be changed",
    body: "You corrected the details for your order, and it was too late to change them: the order goes on with the details as they were before. If these are wrong, please contact the shop and name the order.",
    action: "See your order",
  },
  link_renewed: {
    subject: "Your new link",
    body: "Here is the new link that you asked for. It replaces the one that no longer works.",
    action: "Open your page",
  },
  correction_link: {
    subject: "Your link to change the details",
    body: "Here is the link that you asked for. Use it to change the details for your order.",
    action: "Change the details",
  },
  form_ready: {
    subject: "Your form is ready",
    body: "The form for your order is ready for you.",
    action: "Open your form",
  },
  form_corrected: {
    subject: "Your corrected form is ready",
    body: "There is a new form for your order. Please throw away the old form.",
    action: "Open your form",
  },
  results_available: {
    subject: "There is something new in your account",
    body: "There is something new for your order.",
    action: "See what is new",
  },
  results_today: {
    subject: "Please open your results today",
    body: "There are new results for your order. Please open them today and read the note at the top.",
    action: "Open your results",
  },
  ring_today: {
    subject: "Please ring us today",
    body: "There is news about your order that we want to tell you in person. Please ring us today.",
    action: "See your order",
  },
  review_due: {
    subject: "A result waits for its reviewer",
    body: "A result of this order is held until its reviewer has read it. Please open it in Pathway, read it, and release it.",
    action: "Review the result",
  },
  review_today: {
    subject: "Please review a result today",
    body: "A result of this order cannot wait. Please open it in Pathway today, read it, and release it.",
    action: "Review the result",
  },
  urgent_result_shown: {
    subject: "Please ring a patient today",
    body: "The patient of this order can see a result that should be talked about today. Please ring the patient and make sure that they have read it. Then mark the item in Needs attention as handled.",
    action: "Open the order",
  },
};

export interface MailFacts {
  to: string;
  orderName: string;
  /** The person of the test and its number; null in an email about all tests of an order. */
  about: string | null;
  /** The buyer of a test for somebody else, as the order names them; null where the order names nobody. */
  buyerName: string | null;
  /** The order's page in the customer's account, or a link of the recipient's own; null when there is neither. */
  url: string | null;
  /** The link lets its owner in without signing in: it is said to be kept. */
  personal: boolean;
  /** Whom the reader may ring about the result; null where none is set, or none is to be named. */
  contact: ClinicalContact | null;
  help: CustomerHelp;
  /** Where reminders end with one click; null for what is no reminder. */
  stopUrl: string | null;
}

/** Writes a mail that tells nothing about anybody's health: not what was ordered, not what was found. */
export function composeMail(kind: NotificationKind, facts: MailFacts): Mail {
  const { to, orderName, about, url, personal, contact, help, stopUrl } = facts;
  const { subject, body, action } = kind === "unit_for_you" ? invitation(facts) : TEXTS[kind];
  const ring = contact && `You can ring ${contact.name}: ${contact.phone}.`;
  return layOutEmail({
    to,
    subject: `${subject} (${orderName})`,
    heading: subject,
    about: [about, `Order ${orderName}`].filter(Boolean).join(" · "),
    paragraphs: [
      body,
      ...(ring ? [ring] : []),
      ...(url ? [] : [`${action}: sign in to your account at ${help.shopName}.`]),
    ],
    action: url ? { label: action, url } : null,
    afterwards: url ? [keepLine(kind, personal)] : [],
    help,
    stop: stopUrl ? { label: "No more reminders for this order", url: stopUrl } : null,
  });
}

function keepLine(kind: NotificationKind, personal: boolean): string {
  if (isStaffKind(kind)) return "The link opens Pathway in your Shopify admin.";
  return personal
    ? "This link is for you alone. It works once, within 14 days, and a newer link replaces it. You can ask for a new one on the page that it opens."
    : "You may be asked to sign in to your account.";
}

/** Names whoever bought the test, and how to find out that the email is no fraud. */
function invitation({ buyerName, help }: MailFacts): Text {
  const { shopName, email, phone } = help;
  const buyer = buyerName ?? "Somebody";
  const ways = [phone, email].filter(Boolean).join(" or ");
  return {
    subject: `${buyer} has ordered something for you from ${shopName}`,
    body: `${buyer} bought something for you from ${shopName} and gave us this address. The link below is yours alone: use it to add your details. Only you will see what comes next. To check that this email is genuine, ask ${buyerName ?? "the person who may have bought it"}, or contact ${shopName}${ways ? ` (${ways})` : ""}. We never ask for a password or a payment.`,
    action: "Open your page",
  };
}
