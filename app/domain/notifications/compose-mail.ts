import type { Mail, NotificationKind } from "./notification.ts";

const TEXTS: Record<NotificationKind, { subject: string; body: string; action: string }> = {
  details_needed: {
    subject: "We need a few details for your order",
    body: "Thank you for your order. Before we can prepare it, we need to know who it is for.",
    action: "Give the details",
  },
  form_ready: {
    subject: "Your form is ready",
    body: "The form for your order is ready in your account.",
    action: "Open your account",
  },
  results_available: {
    subject: "There is something new in your account",
    body: "There is something new for your order. Sign in to your account to see it.",
    action: "Open your account",
  },
};

/**
 * Writes a mail that tells nothing about anybody's health: not what was ordered, not what was found.
 * `statusUrl` is the order's page in the shopper's account, where they sign in.
 */
export function composeMail(
  kind: NotificationKind,
  { to, orderName, statusUrl }: { to: string; orderName: string; statusUrl: string | null },
): Mail {
  const { subject, body, action } = TEXTS[kind];
  const where = statusUrl ?? "your account in our store";
  const link = statusUrl
    ? `<p><a href="${escapeHtml(statusUrl)}">${action}</a></p>`
    : "<p>Sign in to your account in our store.</p>";
  return {
    to,
    subject: `${subject} (${orderName})`,
    text: `${body}\n\nOrder ${orderName}\n${action}: ${where}\n`,
    html: `<!doctype html><html lang="en-AU"><body><p>${body}</p><p>Order ${escapeHtml(orderName)}</p>${link}</body></html>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
