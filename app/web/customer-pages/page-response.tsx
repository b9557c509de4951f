import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { CustomerHelp } from "../../modules/shops/customer-help.ts";
import { TIME_ZONE } from "../../platform/calendar-day.ts";
import { type Page, PageBody, PageDocument, PagePart } from "./page.tsx";
import { STYLE, STYLE_HASH } from "./style.ts";

/** Nothing is loaded, run, framed or sent elsewhere; the page's address goes to nobody. */
const POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PRIVATE_HEADERS = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

/** Stands for the shop on pages whose address names no shop that Pathway knows. */
export const NO_SHOP: CustomerHelp = {
  shopName: words("link.no_shop"),
  email: null,
  phone: null,
  hours: null,
  timeZone: TIME_ZONE,
};

export interface Setting {
  help: CustomerHelp;
  leave?: ReactElement;
}

/** The page as a document of our own. */
export function hostedPage(page: Page, { help, leave }: Setting): Response {
  const title = page.tab ?? page.title;
  const markup = renderToStaticMarkup(
    <PageDocument
      title={page.isError ? words("and_here.error_title", { title }) : title}
      shopName={help.shopName}
    >
      <PageBody title={page.title} help={help} leave={leave}>
        {page.content}
      </PageBody>
    </PageDocument>,
  );
  return new Response(`<!doctype html>${markup}`, {
    status: page.status,
    headers: {
      ...PRIVATE_HEADERS,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
    },
  });
}

/**
 * The page for Shopify to put into the shop's theme. Shopify runs it through Liquid first, so every brace is
 * written as a character reference: whatever a laboratory or a customer wrote stays text.
 */
export function themePage(page: Page, help: CustomerHelp): Response {
  const markup = renderToStaticMarkup(
    <PagePart title={page.title} help={help}>
      {page.content}
    </PagePart>,
  );
  const body = markup.replaceAll("{", "&#123;").replaceAll("}", "&#125;");
  return new Response(`<style>{% raw %}${STYLE}{% endraw %}</style>${body}`, {
    status: page.status,
    headers: { ...PRIVATE_HEADERS, "Content-Type": "application/liquid; charset=utf-8" },
  });
}

/** After a form: the browser asks for the next page, so that reloading sends nothing again. */
export const goTo = (address: string): Response =>
  new Response(null, {
    status: 303,
    headers: { ...PRIVATE_HEADERS, Location: address },
  });
