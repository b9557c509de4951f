import { expect, test } from "vitest";
import { shopDomain } from "../../app/modules/kernel/ids.ts";
import { FACTS, openEarlierDatabase } from "./earlier-database.ts";

const shop = shopDomain(FACTS.shop);
if (!shop) throw new Error("The dump names no shop");

const WAS: [state: string, unwanted: boolean, withdrawnBy: string | null, now: object | null][] = [
  ["created", false, null, null],
  ["created", true, null, { requestedBy: "store", status: "requested" }],
  ["created", true, "store", { requestedBy: "store", status: "confirmed" }],
  ["created", true, "staff", { requestedBy: "staff", status: "confirmed" }],
  // An earlier version left the flag of a cancelled unit as it happened to be.
  ["cancelled", true, null, null],
  ["cancelled", true, "store", { requestedBy: "store", status: "done" }],
  ["cancelled", false, "store", { requestedBy: "store", status: "done" }],
  ["cancelled", false, "staff", { requestedBy: "staff", status: "done" }],
];
const ids = Object.values(FACTS.requests).flat();

const { tenancy } = await openEarlierDatabase(async (earlier) => {
  for (const [index, [state, unwanted, withdrawnBy]] of WAS.entries()) {
    const { rowCount } = await earlier.query(
      `UPDATE referral_requests SET state = $3, unwanted = $4, withdrawn_by = $5 WHERE shop = $1 AND id = $2`,
      [shop, ids[index], state, unwanted, withdrawnBy],
    );
    expect(rowCount).toBe(1);
  }
});

test.each(WAS.map((was, index) => [...was, String(ids[index])] as const))(
  "%s with unwanted %s and withdrawn by %s keeps its meaning",
  async (state, _, __, now, id) => {
    const found = await tenancy.inShop(shop, (tenant) => tenant.requests.find(id));
    expect(found).toMatchObject({ state, cancellation: now });
  },
);
