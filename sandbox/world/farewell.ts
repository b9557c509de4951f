import type { World } from "./open-world.ts";
import type { OnceLine } from "./trail.ts";

/** What a person reads when the demo has played its purchase: where to look and what to do there. */
export function farewell(world: World, played: Pick<OnceLine, "mails">, elapsedMs: number): string {
  const { service, store } = world;
  const places: [string, string, string][] = [
    ["Shopify admin", store.admin_url, "open Pathway: orders, referrals, mappings, settings"],
    ["Storefront", store.store_url, "put a test into the cart and check out"],
    [
      "Customer account",
      `${store.store_url}/account`,
      "sign in with a shopper's e-mail, give details, open form and results",
    ],
    [
      "Mail inbox",
      `${store.store_url}/sandbox`,
      `every mail that was sent (${played.mails} to the shopper so far), sign-in codes too`,
    ],
    [
      "Referral service",
      service.app_url,
      "play the laboratory: results, faults, clock, webhook deliveries",
    ],
  ];
  const width = Math.max(...places.map(([name]) => name.length));
  return [
    "",
    `One purchase, from cart to results, in ${(elapsedMs / 1000).toFixed(1)} s. Now it is yours to play with:`,
    "",
    ...places.map(
      ([name, url, what]) => `  ${name.padEnd(width)}  ${url}\n  ${" ".repeat(width)}  ${what}`,
    ),
    "",
    "Data is kept in .data/demo. Ctrl-C ends it all.",
  ].join("\n");
}
