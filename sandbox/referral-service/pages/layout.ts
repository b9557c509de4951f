import type { Answer } from "../http/answer.ts";
import type { Account } from "../organisations/account-store.ts";
import { type Html, html } from "./html.ts";
import { style } from "./style.ts";

const sections = [
  ["/", "Overview"],
  ["/profile", "Profile"],
  ["/organisation", "Organisation"],
  ["/api-keys", "API keys"],
  ["/webhook", "Webhook"],
  ["/provider-numbers", "Provider numbers"],
  ["/referrals", "Referrals"],
  ["/mails", "Emails"],
  ["/faults", "Faults"],
  ["/clock", "Clock"],
] as const;

/** A notice above a page's content. */
export interface Notice {
  tone: "good" | "bad" | "info";
  text: string;
  details?: string[];
}

export interface PageContent {
  title: string;
  lead?: string;
  notice?: Notice | null;
  body: Html;
}

/** The viewer of the page, and its place. */
export interface PageFrame {
  environment: string;
  /** Null on the pages before sign-in. */
  account: Account | null;
  /** The section that is open. */
  section: string;
}

function noticeMarkup(notice: Notice | null | undefined): Html | null {
  if (!notice) return null;
  const { tone, text, details = [] } = notice;
  return html`<div class="notice ${tone}" role="${tone === "bad" ? "alert" : "status"}">${text}${
    details.length > 0 && html`<ul>${details.map((detail) => html`<li>${detail}</li>`)}</ul>`
  }</div>`;
}

function navigation(section: string): Html {
  const links = sections.map(
    ([path, name]) =>
      html`<li><a href="${path}"${path === section ? html` aria-current="page"` : null}>${name}</a></li>`,
  );
  return html`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

function whoMarkup(account: Account | null): Html | null {
  if (!account) return null;
  return html`<div class="who"><span>${account.email}</span><form method="post" action="/sign-out"><button class="plain small">Sign out</button></form></div>`;
}

/** A whole page as an answer. */
export function pageAnswer(frame: PageFrame, content: PageContent, status = 200): Answer {
  const { environment, account, section } = frame;
  const inner = html`<h1>${content.title}</h1>${content.lead && html`<p class="lead">${content.lead}</p>`}${noticeMarkup(content.notice)}${content.body}`;
  const frameMarkup = account
    ? html`<div class="shell">${navigation(section)}<main id="content">${inner}</main></div>`
    : html`<main id="content" class="alone">${inner}</main>`;
  const page = html`<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${content.title} · Referral service (${environment})</title><style>${{ markup: style }}</style></head>
<body><a class="skip" href="#content">Skip to content</a>
<header class="top"><div><a href="/">Referral service</a> <span class="badge">${environment}</span></div>${whoMarkup(account)}</header>
${frameMarkup}</body></html>`;
  return {
    kind: "bytes",
    status,
    contentType: "text/html; charset=utf-8",
    body: page.markup,
    headers: {
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      "referrer-policy": "same-origin",
    },
  };
}
