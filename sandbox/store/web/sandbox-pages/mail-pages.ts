import type { WebContext } from "../context.ts";
import { formatTime } from "../format.ts";
import { type Html, html, trusted } from "../html.ts";
import type { StoreMail } from "../ports.ts";
import { sandboxPage } from "./layout.ts";

export async function inboxPage(web: WebContext): Promise<Html> {
  const mails = await web.ports.mails();
  return sandboxPage(web, {
    place: "inbox",
    title: "Inbox",
    content: html`<h1>Inbox</h1>
      <p class="lead">Every mail that the store and the app have sent, newest first. None of them has left this machine.</p>
      ${
        mails.length === 0
          ? html`<p class="card">No mail yet. <a href="/account/login">Sign in</a> to get a code, or <a href="/">buy something</a>.</p>`
          : html`<ul class="rows card">
              ${mails.map(
                (mail) => html`<li>
                  <a href="/sandbox/mail/${encodeURIComponent(mail.id)}">${mail.subject || "(no subject)"}</a>
                  <span class="quiet">to ${mail.to}</span>
                  <time class="quiet" datetime="${mail.at}">${formatTime(mail.at)}</time>
                </li>`,
              )}
            </ul>`
      }`,
  });
}

export function mailPage(web: WebContext, mail: StoreMail): Html {
  return sandboxPage(web, {
    place: "inbox",
    title: mail.subject,
    content: html`<p class="crumb"><a href="/sandbox/mail">← Inbox</a></p>
      <h1>${mail.subject || "(no subject)"}</h1>
      <section class="card">
        <dl class="facts">
          <dt>From</dt><dd>${mail.from}</dd>
          <dt>To</dt><dd>${mail.to}</dd>
          <dt>Sent</dt><dd>${formatTime(mail.at)}</dd>
        </dl>
      </section>
      ${
        mail.html !== null &&
        html`<iframe class="mail-frame" title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" src="/sandbox/mail/${encodeURIComponent(mail.id)}/html"></iframe>`
      }
      ${mail.html !== null ? html`<details class="card"><summary>Plain text</summary>${plainText(mail.text)}</details>` : html`<section class="card" aria-label="Text">${plainText(mail.text)}</section>`}`,
  });
}

/** Text with its addresses as links. */
function plainText(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/);
  return html`<p class="mail-text">${parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))}</p>`;
}

/** The HTML part as it is, for the sandboxed frame; links lead out of the frame. */
export function mailDocument(markup: string): Html {
  return html`<!doctype html><base target="_top" />${trusted(markup)}`;
}
