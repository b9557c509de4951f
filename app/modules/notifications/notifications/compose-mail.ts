import { escapeHtml } from "../../../platform/escape-html.ts";
import { isStaffKind, type Mail, type NotificationKind } from "../../kernel/notification.ts";
import type { ClinicalContact } from "../../shops/shop.ts";

interface Text {
  subject: string;
  body: string;
  action: string;
}

/** Words for each kind of mail. What was ordered is not said: the name of a test tells of somebody's health. */
const TEXTS: Record<NotificationKind, Text> = {
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
  unit_for_you: {
    subject: "Something was ordered for you",
    body: "Somebody bought something from us for you and gave us this address. The link below is yours alone: use it to give your details. Whoever bought it does not see your details or what follows.",
    action: "Open your page",
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
  shopName: string | null;
  orderName: string;
  /** The order's page in the shopper's account, or a link of the recipient's own; null when there is neither. */
  url: string | null;
  /** The link lets its owner in without signing in: it is said to be kept. */
  personal: boolean;
  /** Whom the reader may ring about the result; null where none is set, or none is to be named. */
  contact: ClinicalContact | null;
  /** Where reminders end with one click; null for what is no reminder. */
  stopUrl: string | null;
}

/** Writes a mail that tells nothing about anybody's health: not what was ordered, not what was found. */
export function composeMail(kind: NotificationKind, facts: MailFacts): Mail {
  const { subject, body, action } = TEXTS[kind];
  const { to, shopName, orderName, url, personal, contact, stopUrl } = facts;
  const ring = contact && `You can ring ${contact.name}: ${contact.phone}.`;
  const from = shopName ?? "our store";
  const keep = isStaffKind(kind)
    ? "The link opens Pathway in your Shopify admin."
    : personal
      ? "This link is for you alone and opens once, within 14 days. A newer one replaces it. You can ask for a new one on the page that it leads to."
      : "You may be asked to sign in to your account.";
  const text = [
    body,
    ...(ring ? ["", ring] : []),
    "",
    `Order ${orderName}`,
    url ? `${action}: ${url}` : `${action}: sign in to your account in ${from}.`,
    ...(url ? ["", keep] : []),
    "",
    from,
    ...(stopUrl ? ["", `No more reminders for this order: ${stopUrl}`] : []),
    "",
  ].join("\n");
  const html = `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f5f5f5;color:#1f2328;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">
<p style="margin:0 0 16px;font-weight:600">${escapeHtml(from)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
<p style="margin:0 0 16px">${escapeHtml(body)}</p>
${ring ? `<p style="margin:0 0 16px">${escapeHtml(ring)}</p>` : ""}
<p style="margin:0 0 16px">Order ${escapeHtml(orderName)}</p>
${
  url
    ? `<p style="margin:0 0 16px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;background:#1f2328;color:#ffffff;border-radius:6px;text-decoration:none">${action}</a></p>
<p style="margin:0;color:#57606a;font-size:14px">${keep}</p>`
    : `<p style="margin:0">Sign in to your account in ${escapeHtml(from)}.</p>`
}
</div>${
    stopUrl
      ? `
<p style="max-width:560px;margin:16px auto 0;color:#57606a;font-size:14px"><a href="${escapeHtml(stopUrl)}" style="color:#57606a">No more reminders for this order</a></p>`
      : ""
  }
</body></html>`;
  return {
    to,
    subject: `${subject} (${orderName})`,
    text,
    html,
    fromName: shopName,
    unsubscribeUrl: stopUrl,
  };
}
