import { expect, test } from "vitest";
import { shopDomain } from "../../app/modules/kernel/ids.ts";
import { FACTS, openEarlierDatabase } from "./earlier-database.ts";

const shop = shopDomain(FACTS.shop);
if (!shop) throw new Error("The dump names no shop");

const REFUSED = { code: "rejected", detail: "INVALID_PAYLOAD" };
const LOST = { code: "ambiguous", detail: null };
const WAS: [attention: string | null, handled: string | null, now: object][] = [
  [null, null, { reviewReason: null, handledReason: null }],
  ["ambiguous", null, { reviewReason: LOST, handledReason: null }],
  ["rejected:INVALID_PAYLOAD", null, { reviewReason: REFUSED, handledReason: null }],
  ["ambiguous", "ambiguous", { reviewReason: LOST, handledReason: LOST }],
  [
    "rejected:INVALID_PAYLOAD",
    "rejected:INVALID_PAYLOAD",
    { reviewReason: REFUSED, handledReason: REFUSED },
  ],
  // A service's code may have a colon of its own.
  ["rejected:a:b", null, { reviewReason: { code: "rejected", detail: "a:b" } }],
];
const ids = Object.values(FACTS.requests).flat();

const { tenancy } = await openEarlierDatabase(async (earlier) => {
  for (const [index, [attention, handled]] of WAS.entries())
    await earlier.query(
      "UPDATE referral_requests SET attention = $3, handled_reason = $4 WHERE shop = $1 AND id = $2",
      [shop, ids[index], attention, handled],
    );
});

test.each(WAS.map((was, index) => [...was, String(ids[index])] as const))(
  "keeps the reason %s, handled %s",
  async (_, __, now, id) => {
    const found = await tenancy.inShop(shop, (tenant) => tenant.requests.find(id));
    expect(found).toMatchObject(now);
  },
);
