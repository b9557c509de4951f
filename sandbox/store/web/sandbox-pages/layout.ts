import type { WebContext } from "../context.ts";
import { type Html, html } from "../html.ts";
import { htmlDocument, skipLink } from "../pages/document.ts";
import { type SandboxPlace, sandboxStrip } from "../pages/sandbox-strip.ts";

/** Pages about the sandbox itself: they imitate nothing of Shopify's. */
export function sandboxPage(
  { facts }: WebContext,
  page: { place: SandboxPlace; title: string; content: Html },
): Html {
  return htmlDocument({
    title: `${page.title} · ${facts.shopName} sandbox`,
    styles: ["sandbox"],
    theme: "sandbox",
    body: html`${skipLink}${sandboxStrip(page.place)}
      <main id="content" tabindex="-1">${page.content}</main>`,
  });
}
