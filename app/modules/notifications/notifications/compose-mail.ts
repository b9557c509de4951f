/** Long because it holds the words of every email to a customer, side by side. */
import {
  isStaffKind,
  type Mail,
  type NewsKind,
  type NotificationKind,
} from "../../kernel/notification.ts";
import { CLINICAL_TEXTS, phonesToRing } from "../../referrals/clinical-texts.ts";
import type { StateNews } from "../../referrals/state-news.ts";
import type { CustomerHelp } from "../../shops/customer-help.ts";
import { type LinkedParagraph, layOutEmail } from "../../shops/lay-out-email.ts";
import type { ClinicalContact } from "../../shops/shop.ts";

interface Text {
  subject: string;
  body: string;
  action: string;
}

/** Words for each kind of mail. What was ordered is not said: the name of a test tells of somebody's health. */
const TEXTS: Record<
  Exclude<NotificationKind, "unit_for_you" | "details_given" | "state_changed">,
  Text
> = {
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
    body: "We could not change the details for your order: it was too late. The order goes on with the details as they were before. If these are wrong, please contact us and tell us your order number.",
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
  order_delayed: {
    subject: "Your order is taking longer than expected",
    body: "We can’t go on with your order yet, because we have to look into something first. We are sorry for the wait. You don’t need to do anything now: we will email you when there is news. If you would rather not wait, or have a question, please contact us.",
    action: "See your order",
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
    subject: "There is something new for you to see",
    body: "There is something new for your order.",
    action: "See what is new",
  },
  results_today: {
    subject: "Please open your results today",
    body: "Please open the results of your order today, and read the note at the top of the page.",
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
  results_elsewhere: {
    subject: "How you get your results",
    body: "We can’t show you your form or your results online any more, and no more emails follow. Your order isn’t lost. If you have given a sample, the laboratory still tests it: contact us for your results. If you haven’t, please contact us before you do. You can also ask the laboratory or collection centre that is named on your form, and tell them the reference below: they can send your results to your doctor.",
    action: "",
  },
  patients_waiting: {
    subject: "Patients are waiting for their results",
    body: "Pathway can’t receive results for your shop any more: the app was removed, or the referral service refuses its credentials. The patients of the orders below have a form, or have given a sample, and don’t have all of their results. Pathway emails each of them to contact you or the laboratory. Please get their results from the referral service, and pass them on. If this wasn’t intended, install Pathway again, or enter working credentials in its settings: it then goes on where it stopped.",
    action: "",
  },
  patient_unreachable: {
    subject: "Please ring a patient today: an email can’t be delivered",
    body: "An urgent email about this order can’t be delivered to its address. Please ring the patient today. The order’s page in Pathway shows the phone number to those of your staff who may see it.",
    action: "Open the order",
  },
  urgent_result_shown: {
    subject: "Please ring a patient today",
    body: "A result of this order was released to its patient, and should be talked about today. Please ring the patient and make sure that they have read it. The order’s page in Pathway shows the phone number to those of your staff who may see it. A patient who has hidden their results can’t open it. Then mark the item in Needs attention as handled.",
    action: "Open the order",
  },
};

/** The same where one email tells it of several tests: each of them has a form of its own. */
const OF_SEVERAL: Partial<Record<NotificationKind, (tests: number) => Text>> = {
  form_ready: (tests) => ({
    subject: `${tests} tests: each form is ready`,
    body: "Each of these tests has a form of its own, which is ready for you.",
    action: "Open your form",
  }),
  form_corrected: (tests) => ({
    subject: `${tests} tests: each corrected form is ready`,
    body: "Each of these tests has a new form. Please throw away their old forms.",
    action: "Open your form",
  }),
};

/** The same of a form that comes beside another one of its test, or in its place. The page shows which of them to use. */
const OF_FURTHER: Partial<Record<NotificationKind, Text>> = {
  form_ready: {
    subject: "Another form is ready",
    body: "There is another form for your order. Please use only the forms that your page shows, and throw away any other.",
    action: "Open your form",
  },
  form_corrected: {
    subject: "Your corrected form is ready",
    body: "There is a new form for your order. Please use only the forms that your page shows, and throw away any other.",
    action: "Open your form",
  },
};

/** The words for values that have changed since they could be seen. */
export const CHANGED_NEWS =
  "Something that you could see before for your order has changed. Please look at it again. If you kept a copy, throw it away. If you have shown it to somebody, please show them again.";

/** Words for each change of a test. They say what happens next, and nothing about anybody's health. */
const NEWS: Record<StateNews, Text> = {
  cancelled: {
    subject: "A test in your order was cancelled",
    body: "A test in your order was cancelled. If you have its form, please throw it away. If a refund is due, it goes to the person who paid, in the way that they paid. You don’t need to do anything.",
    action: "See your order",
  },
  paused: {
    subject: "Please don’t use your form for now",
    body: "A test in your order was refunded or removed from it. Please don’t use its form for now: we are deciding whether the test goes ahead. We will email you if it does, or if it is cancelled. If you asked for this, you don’t need to do anything. If you did not expect it, please contact us.",
    action: "See your order",
  },
  resumed: {
    subject: "You can go on with your order",
    body: "We asked you not to use the form of a test in your order for now. The test goes ahead: your page shows its form and what comes next.",
    action: "See your order",
  },
  deleted: {
    subject: "Please throw away a form of your order",
    body: "The form of a test in your order is not valid any more. Please throw it away. The test is not cancelled: we are looking into it, and will email you. If you have given a sample already, please contact us.",
    action: "See your order",
  },
  form_gone: {
    subject: "Please throw away a form of your order",
    body: "One of the forms of your order is not valid any more. Please use only a form that your page shows, and throw away any other. If something is missing now, we will contact you about it. You can also contact us.",
    action: "See your order",
  },
  form_back: {
    subject: "You can use the form of your order",
    body: "We told you not to use a form of your order. It can be used after all: your page shows it, and what comes next. If it has a new date, please throw away any older copy.",
    action: "See your order",
  },
  refunded: {
    subject: "A test in your order can’t go on",
    body: "A test in your order can’t go on, so nothing more will come of it. If you have its form, please throw it away. We will contact you about what comes next, and about a refund if one is due. You can also contact us.",
    action: "See your order",
  },
  failed: {
    subject: "A test in your order needs another step",
    body: "The laboratory could not finish a test in your order. Please do not use its form again. We will contact you about what comes next. You can also contact us.",
    action: "See what comes next",
  },
  insufficient: {
    subject: "A detail is missing for your order",
    body: "A test in your order can’t go on, because a detail is missing. Please do not use its form. We will contact you about what we need. You can also contact us.",
    action: "See what comes next",
  },
  billing: {
    subject: "Please don’t use your form yet",
    body: "Please don’t use the form of your order yet. We are fixing a problem, and will email you when you can go on. You don’t need to do anything.",
    action: "See your order",
  },
  transferred: {
    subject: "Another laboratory is finishing your test",
    body: "Another laboratory is finishing a test in your order. Please do not use its form. We will tell you how you get the results. You can also contact us.",
    action: "See your order",
  },
  verification: {
    subject: "Your form is waiting for a check",
    body: "A form of your order is waiting for one more check. We will email you when it is ready. You don’t need to do anything.",
    action: "See your order",
  },
  unknown: {
    subject: "We are looking into your order",
    body: "Something about a test in your order has changed, and we are looking into it. If you haven’t used its form yet, please contact us before you do. Otherwise you don’t need to do anything.",
    action: "See your order",
  },
  in_review: {
    subject: "News about your order is being checked",
    body: "There is news about your order. We check it before you can see it. We will email you when you can open it. If you have heard nothing after two days, please contact us.",
    action: "See your order",
  },
  changed_in_review: {
    subject: "Something that you could see has changed",
    body: "Something that you could see before for your order has changed. Please don’t go by what you saw. We check the change before you can see it. We will email you when you can open it. If you have heard nothing after two days, please contact us.",
    action: "See your order",
  },
  taken_back: {
    subject: "Something that you could see was taken back",
    body: "Something that you could see before for your order was taken back, so you can’t open it any more. Please don’t go by it. If you kept a copy, throw it away. If you have shown it to somebody, please tell them. We will email you when there is something new. If you have a question, please contact us.",
    action: "See your order",
  },
  partial: {
    subject: "Part of your order is ready to see",
    body: "There is something new for your order. It is not everything yet: we will email you when there is more.",
    action: "See what is new",
  },
  new_figures: {
    subject: "Something that you could see has changed",
    body: CHANGED_NEWS,
    action: "See what has changed",
  },
};

/** The words of a mail of this kind, where the kind alone decides them. */
function wordsOf(kind: NotificationKind, facts: MailFacts): Text {
  switch (kind) {
    case "unit_for_you":
      return invitation(facts);
    case "details_given":
      return detailsGiven(facts);
    case "state_changed":
      return NEWS[facts.news ?? "unknown"];
    default:
      return (facts.isFurther && OF_FURTHER[kind]) || TEXTS[kind];
  }
}

export interface MailFacts {
  to: string;
  alsoTo?: string[];
  orderName: string;
  /** The person of the test and its number; null in an email about all tests of an order. */
  about: string | null;
  /** The buyer of a test for somebody else, as the order names them; null where the order names nobody. */
  buyerName: string | null;
  /** The change that a mail about a test's state tells; null for other mails. */
  news: StateNews | null;
  /** A mail about a form: of a test that has another one. */
  isFurther?: boolean;
  /** The order's page in the customer's account, or a link of the recipient's own; null when there is neither. */
  url: string | null;
  /** The link lets its owner in without signing in: it is said to be kept. */
  personal: boolean;
  /** The page in the shop's theme where a customer with a legacy account finds all their tests; null elsewhere. */
  accountUrl: string | null;
  /** Whom the reader may ring about the result; null where none is set, or none is to be named. */
  contact: ClinicalContact | null;
  help: CustomerHelp;
  /** Where reminders end with one click; null for what is no reminder. */
  stopUrl: string | null;
  /** Further lines, such as the references that the email is about. */
  lines?: string[];
  /** The orders that the email is about, each with its address. */
  rows?: LinkedParagraph["rows"];
}

/** Writes a mail that tells nothing about anybody's health: not what was ordered, not what was found. */
export function composeMail(kind: NotificationKind, facts: MailFacts): Mail {
  const { to, orderName, about, url, personal, contact, help, stopUrl } = facts;
  const { lines = [], rows = [] } = facts;
  const { subject, body, action } = wordsOf(kind, facts);
  const isToday = kind === "ring_today" || kind === "results_today";
  const ring = contact && `You can ring ${contact.name}: ${contact.phone}.`;
  const mail = layOutEmail({
    to,
    subject: orderName ? `${subject} (${orderName})` : subject,
    heading: subject,
    about: [about, orderName && `Order ${orderName}`].filter(Boolean).join(" · ") || null,
    paragraphs: [
      { text: body, rows },
      ...lines,
      ...(ring ? [ring] : []),
      // The email comes at any hour.
      ...(isToday ? [CLINICAL_TEXTS.when_unanswered.text] : []),
      ...(url || !action ? [] : [`${action}: sign in to your account at ${help.shopName}.`]),
    ],
    phones: isToday ? phonesToRing(contact) : [],
    action: url ? { label: action, url } : null,
    afterwards: url ? [keepLine(kind, { personal }), ...accountLine(facts)] : [],
    help,
    stop: stopUrl ? { label: "No more reminders for this order", url: stopUrl } : null,
  });
  return { ...mail, ...(facts.alsoTo?.length ? { alsoTo: facts.alsoTo } : {}) };
}

/** One piece of news in a mail that tells several. */
export interface NewsItem {
  requestId: string;
  kind: NewsKind;
  news: StateNews | null;
  about: string | null;
  isFurther?: boolean;
  /** The test's own link, where each test of the email has one. */
  url: string | null;
}

/** Tests with the same news that an email names one by one. A reader counts no more than these. */
export const MAX_NAMED = 20;

/** A text that is longer is read once, after the names of all its tests. */
const MAX_REPEATED = 100;

/** The lines of an email that tells several: one for each test, or one for all that have the same news. */
function newsLines(texts: readonly NewsText[]) {
  const alike = Map.groupBy(texts, ({ body }) => body);
  const lines = texts.map(({ about, body, isOfSeveral }) => {
    const same = alike.get(body) ?? [];
    const tests = new Set(same.map(({ requestId }) => requestId)).size;
    if (tests > MAX_NAMED) return `${tests} tests: ${body}`;
    const isTogether = body.length > MAX_REPEATED || isOfSeveral;
    const names = isTogether ? same.map((one) => one.about).filter((name) => name !== null) : [];
    const named = names.length > 0 ? [...new Set(names)].join("; ") : about;
    return named ? `${named}: ${body}` : body;
  });
  return [...new Set(lines)];
}

/** An item with the words of its news. */
interface NewsText extends Pick<NewsItem, "requestId" | "about" | "url"> {
  body: string;
  action: string;
  /** The words are about all tests that have them. */
  isOfSeveral: boolean;
}

/** Puts news into words. News that several tests have is worded for several. */
function newsTexts(items: readonly NewsItem[], facts: MailFacts): (NewsText & Text)[] {
  return items.map(({ kind, news, isFurther = false, ...item }) => {
    const same = items.filter((one) => one.kind === kind && !one.isFurther);
    const tests = new Set(same.map(({ requestId }) => requestId)).size;
    const several = tests > 1 && !isFurther ? OF_SEVERAL[kind]?.(tests) : undefined;
    const words = several ?? wordsOf(kind, { ...facts, news, isFurther });
    return { ...item, ...words, isOfSeveral: several !== undefined };
  });
}

/** The lines of an email in which each test has a link: each news is read once, and the tests that have it follow. */
const linkedLines = (texts: readonly NewsText[]): LinkedParagraph[] =>
  [...Map.groupBy(texts, ({ body }) => body)].map(([text, same]) => ({
    text,
    rows: same
      .filter((one, at) => same.findIndex(({ requestId }) => requestId === one.requestId) === at)
      .map(({ about, action, url }) => ({
        label: [about, url && action].filter(Boolean).join(": "),
        url,
      }))
      .filter(({ label }) => label !== ""),
  }));

/** Writes one mail about several pieces of news of an order: what is new comes first for each test. */
export function composeNews(items: readonly NewsItem[], facts: MailFacts): Mail {
  const { to, orderName, url, personal, help, lines = [] } = facts;
  const texts = newsTexts(items, facts);
  const isLinked = items.some((item) => item.url !== null);
  const [first] = texts;
  const isOneSubject = texts.every(({ subject }) => subject === first?.subject);
  const hasResults = items.some(({ kind }) => kind === "results_available");
  const mixed = hasResults ? TEXTS.results_available.subject : "News about your order";
  const subject = isOneSubject && first ? first.subject : mixed;
  return layOutEmail({
    to,
    subject: `${subject} (${orderName})`,
    heading: subject,
    about: `Order ${orderName}`,
    paragraphs: [
      ...(isLinked ? linkedLines(texts) : newsLines(texts)),
      ...lines,
      ...(url ? [] : [`See your order: sign in to your account at ${help.shopName}.`]),
    ],
    action: url && !isLinked ? { label: "See your order", url } : null,
    afterwards: url
      ? [keepLine("state_changed", { personal, isLinked }), ...accountLine(facts)]
      : [],
    help,
    stop: null,
  });
}

/** Tells a patient that somebody else gave their details, and will see what follows. */
function detailsGiven({ buyerName, help }: MailFacts): Text {
  const buyer = buyerName ?? "Somebody";
  return {
    subject: `${buyer} has ordered something for you from ${help.shopName}`,
    body: `${buyer} bought something for you from ${help.shopName} and gave us your details. ${buyer} will see everything that follows. You can ask ${help.shopName} at any time to show you, correct or delete what we hold about you. If you did not agree to this, please contact ${help.shopName}: we can stop it and delete your details.`,
    action: "",
  };
}

function keepLine(
  kind: NotificationKind,
  { personal, isLinked = false }: { personal: boolean; isLinked?: boolean },
): string {
  if (isStaffKind(kind)) return "The link opens Pathway in your Shopify admin.";
  if (isLinked)
    return "These links are for you alone. Each opens one test. A link works once, within 14 days, and a newer link to the same test replaces it. You can ask for a new one on the page that it opens.";
  const replacing = kind === "unit_for_you" ? "a newer link to the same test" : "a newer link";
  return personal
    ? `This link is for you alone. It works once, within 14 days, and ${replacing} replaces it. You can ask for a new one on the page that it opens.`
    : "You may be asked to sign in to your account.";
}

const accountLine = ({ accountUrl: url, help }: MailFacts) =>
  url ? [{ text: `With an account at ${help.shopName}, you can also sign in here:`, url }] : [];

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
