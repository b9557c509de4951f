import { escapeHtml } from "../../platform/escape-html.ts";
import { linkPhones } from "../../platform/link-phones.ts";
import { PALETTES } from "../../platform/palettes.ts";
import { wholePhones } from "../../platform/whole-phones.ts";
import type { Mail } from "../kernel/notification.ts";
import type { CustomerHelp } from "./customer-help.ts";

/** A sentence with a row for each thing that it is about; a row with an address is a link. */
export interface LinkedParagraph {
  text: string;
  rows: { label: string; url: string | null }[];
}

interface LineWithAddress {
  text: string;
  url: string;
}

/** An email before it has a form. */
export interface EmailContent {
  to: string;
  subject: string;
  /** The heading of the HTML part; the subject where it is left out. */
  heading?: string;
  /** The person of the test, its number and the order: "For Ngaire W. · Test 1 of 2 · Order #1001". */
  about: string | null;
  /** One thing to be read at a glance, such as a code. The heading says what it is. */
  figure?: string;
  paragraphs: (string | LinkedParagraph)[];
  /** Numbers in the paragraphs that the reader may ring, beside the shop's own. */
  phones?: string[];
  action: { label: string; url: string } | null;
  /** The facts about the link; a line with an address ends with it. */
  afterwards: (string | LineWithAddress)[];
  help: CustomerHelp;
  /** Where one click ends emails of this kind (RFC 8058), and what the link says. */
  stop: { label: string; url: string } | null;
}

/**
 * Writes both parts of an email, text and HTML, with the same sentences in the same sequence. A telephone number stays on one line in
 * the HTML part, where a tap rings it, and a tap on an address writes to it or opens it. In the text part a number keeps its plain spaces,
 * which every program can dial and copy.
 */
export function layOutEmail(content: EmailContent): Mail {
  const { to, subject, help, stop } = content;
  return {
    to,
    subject,
    text: textOf(content),
    html: htmlOf(content),
    fromName: help.shopName,
    unsubscribeUrl: stop?.url ?? null,
  };
}

/** "Questions? Contact Example Health: help@example.com, 03 9000 0000 (Mon to Fri, 9 to 5)." */
function helpLine({ shopName, email, phone, hours }: CustomerHelp): string {
  const ways = [email, phone].filter(Boolean).join(", ");
  const when = hours ? ` (${hours})` : "";
  return ways
    ? `Questions? Contact ${shopName}: ${ways}${when}.`
    : `Questions? Contact ${shopName}${when}.`;
}

function textOf({
  subject,
  heading = subject,
  about,
  figure,
  paragraphs,
  action,
  afterwards,
  help,
  stop,
}: EmailContent): string {
  const blocks = [
    figure && `${heading}: ${figure}`,
    about,
    ...paragraphs.map((one) => [textIn(one), ...rowsIn(one).map(rowText)].join("\n")),
    action && `${action.label}: ${action.url}`,
    ...afterwards.map((one) => (typeof one === "string" ? one : `${one.text} ${one.url}`)),
    help.shopName,
    helpLine(help),
    stop && `${stop.label}: ${stop.url}`,
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}

const textIn = (one: string | LinkedParagraph) => (typeof one === "string" ? one : one.text);
const rowsIn = (one: string | LinkedParagraph) => (typeof one === "string" ? [] : one.rows);
const rowText = ({ label, url }: LinkedParagraph["rows"][number]) =>
  url ? `${label}: ${url}` : label;

const { paper, soft, ink, quiet, act } = PALETTES.light;

/**
 * The colours that parts of an email have by night, by their class. Each part has its light ones as a style of its own, which an
 * email program shows that knows no style sheets. Whatever has a ground names its words' colour too, so that a program
 * that takes one part away leaves no light words on light paper.
 */
const AT_NIGHT = `:root{color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){
.around{background:${PALETTES.dark.paper}!important;color:${PALETTES.dark.ink}!important}
.card{background:${PALETTES.dark.soft}!important;color:${PALETTES.dark.ink}!important}
.quiet{color:${PALETTES.dark.quiet}!important}
.link{color:${PALETTES.dark.act}!important}
.button{background:${PALETTES.dark.ink}!important;color:${PALETTES.dark.paper}!important}
}`;

/** A link amid text; `more` is its further style. */
const link = (url: string, words: string, more = "") =>
  `<a class="link" href="${escapeHtml(url)}" style="${more}color:${act}">${escapeHtml(words)}</a>`;

/** The rows are a list, which a screen reader counts, and each link is tall enough for a thumb. */
function rowsHtml(rows: LinkedParagraph["rows"]): string {
  const items = rows.map(({ label, url }) =>
    url
      ? `<li>${link(url, label, "display:block;padding:10px 0;")}</li>`
      : `<li style="padding:10px 0">${escapeHtml(label)}</li>`,
  );
  return `<ul style="margin:0 0 16px;padding:0 0 0 20px">\n${items.join("\n")}\n</ul>`;
}

function htmlOf(content: EmailContent): string {
  const { subject, heading = subject, about, figure, paragraphs, action, afterwards } = content;
  const { help, stop, phones = [] } = content;
  const known = help.phone ? [...phones, help.phone] : phones;
  const dialled = (text: string) =>
    linkPhones(text, known)
      .map((piece) => (piece.href ? link(piece.href, piece.text) : escapeHtml(piece.text)))
      .join("");
  const linked = (text: string) =>
    help.email
      ? text
          .split(help.email)
          .map(dialled)
          .join(link(`mailto:${help.email}`, help.email))
      : dialled(text);
  const paragraph = (html: string, style = "margin:0 0 16px") => `<p style="${style}">${html}</p>`;
  const small = (html: string) =>
    `<p class="quiet" style="margin:0 0 8px;color:${quiet};font-size:14px">${html}</p>`;
  const main = [
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>`,
    figure &&
      paragraph(
        escapeHtml(figure),
        "margin:0 0 16px;font-size:28px;letter-spacing:4px;font-weight:600",
      ),
    about && paragraph(escapeHtml(wholePhones(about)), "margin:0 0 16px;font-weight:600"),
    ...paragraphs.flatMap((one) => {
      const rows = rowsIn(one);
      if (rows.length === 0) return [paragraph(linked(textIn(one)))];
      return [paragraph(linked(textIn(one)), "margin:0 0 4px"), rowsHtml(rows)];
    }),
    action &&
      `<p style="margin:0 0 16px"><a class="button" href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;background:${ink};color:${paper};border-radius:6px;text-decoration:none">${escapeHtml(action.label)}</a></p>`,
    ...afterwards.map((one) =>
      small(
        typeof one === "string"
          ? escapeHtml(one)
          : `${escapeHtml(one.text)} ${link(one.url, one.url)}`,
      ),
    ),
  ];
  // Phones show the first words beside the subject: without these, the shop's name and the subject once more.
  const [preview] = figure ? [] : paragraphs;
  const hidden = "display:none;max-height:0;overflow:hidden;mso-hide:all";
  const footer = [small(linked(helpLine(help))), stop && small(link(stop.url, stop.label))];
  return `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title>
<style>
${AT_NIGHT}
</style></head>
<body class="around" style="margin:0;padding:24px;background:${soft};color:${ink};font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
${preview ? `<div style="${hidden}" aria-hidden="true">${escapeHtml(textIn(preview))}</div>\n` : ""}<div role="article" aria-roledescription="email" aria-label="${escapeHtml(subject)}" style="max-width:560px;margin:0 auto;overflow-wrap:break-word">
<div role="main" class="card" style="padding:24px;background:${paper};color:${ink};border-radius:8px">
<p style="margin:0 0 16px;font-weight:600">${escapeHtml(help.shopName)}</p>
${main.filter(Boolean).join("\n")}
</div>
<div role="contentinfo" class="around" style="background:${soft};color:${ink};padding:16px 24px">
${footer.filter(Boolean).join("\n")}
</div>
</div>
</body></html>`;
}
