import type { World } from "./open-world.ts";

interface Place {
  name: string;
  url: string;
  /** The next steps. */
  lines: string[];
}

/** Writes what a person reads when the demo has played its purchase: where to look and what to do there. */
export function farewell({
  world: { service, store },
  shopperEmail,
  elapsedMs,
}: {
  world: Pick<World, "service" | "store">;
  shopperEmail: string;
  elapsedMs: number;
}): string {
  const shopHandle = store.shop.replace(/\.myshopify\.com$/, "");
  const places: Place[] = [
    {
      name: "Shopify admin",
      url: `${store.admin_url}/store/${shopHandle}/apps/${store.api_key}`,
      lines: ["Pathway as the merchant sees it: orders and referrals, mapping, settings"],
    },
    {
      name: "Storefront",
      url: store.store_url,
      lines: ["put a test into the cart and check out; the app takes it from there"],
    },
    {
      name: "Customer account",
      url: `${store.store_url}/account`,
      lines: [
        `sign in as ${shopperEmail} (the code is in the inbox) and open form and results;`,
        "or with the address that you gave at the checkout, and give the patient's details",
      ],
    },
    {
      name: "Mail inbox",
      url: `${store.store_url}/sandbox/mail`,
      lines: ["every mail of shop and app; nothing leaves this machine"],
    },
    {
      name: "Referral service",
      url: service.app_url,
      lines: [
        `sign in with the token ${service.console_token}`,
        "and be the laboratory: results, faults, clock, webhook deliveries",
      ],
    },
  ];
  return [
    "",
    `From nothing to results in ${(elapsedMs / 1000).toFixed(1)} s. Now it is yours to play with:`,
    "",
    ...places.map(({ name, url, lines }) => `  ${name.padEnd(18)}${[url, ...lines].join(INDENT)}`),
    "",
    "Data is kept in .data/demo: delete that folder to begin anew. Ctrl-C ends it all.",
  ].join("\n");
}

const INDENT = `\n${" ".repeat(20)}`;
