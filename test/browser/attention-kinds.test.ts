import { expect, test } from "vitest";
import { z } from "zod";
import { ORDER_REASONS } from "../../app/modules/orders/order-reason.ts";
import {
  isResultReason,
  parseReasonKey,
  REVIEW_CODES,
} from "../../app/modules/referrals/review-reason.ts";
import type { TestWorld } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";

// Every reason for which a person is needed, each on an order of its own, as the inbox shows them. How each comes about and ends is
// tried in test/flows/needs-attention.test.ts.

const { world, newPageAuditor } = await openOwnBrowserFixture();

/** The service's or the connection's words for reasons with a detail, each that has words of its own. */
const DETAILS: Record<string, string[]> = {
  rejected: ["INVALID_PAYLOAD", "INVALID_PROVIDER_NUMBER"],
  half_rejected: ["INVALID_PAYLOAD"],
  not_sent: [
    ...["unauthorized", "no_connection", "connection_unreadable", "former_alive"],
    "former_unread",
  ],
  unresolved: ["unauthorized", "no_connection", "connection_unreadable", "contract_mismatch"],
  referral: [
    ...["BILLING_FAILED", "FAILED_TEST", "INSUFFICIENT_DATA", "TRANSFERRED", "REFUNDED"],
    ...["PENDING_VERIFICATION", "SOMETHING_NEW", "former_alive"],
  ],
  document_refused: ["files.example"],
};
const REASONS = [
  ...ORDER_REASONS,
  ...REVIEW_CODES.flatMap((code) => DETAILS[code]?.map((detail) => `${code}:${detail}`) ?? [code]),
];
const STATES: Record<string, string> = {
  ...{ held: "held", high_risk: "held", risk_pending: "held", rejected: "rejected" },
  ...{ ambiguous: "ambiguous", unresolved: "ambiguous", under_age_unclear: "ambiguous" },
  ...{ not_sent: "ready", under_age: "awaiting_details", details_overdue: "awaiting_details" },
  ...{ consent_withdrawn: "cancelled", half_rejected: "rejected", half_created: "ambiguous" },
};

/** Writes an order for each reason into the app's tables, as one of the two units of a line. The service knows none of them. */
async function seedReasons({ sql, line }: TestWorld): Promise<void> {
  const { shop } = line.store;
  for (const [index, key] of REASONS.entries()) {
    const number = 7001 + index;
    const { code, detail } = parseReasonKey(key);
    const isOfOrder = ORDER_REASONS.some((one) => one === key);
    await sql.rows(
      z.unknown(),
      `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at, test, order_mode, review_code, reason_code)
       VALUES ($1, 'gid://shopify/Order/' || $2::int, '#' || $2::int, now() - $2::int * interval '1 minute', now(), now(), false, 'staging', $3, $3)`,
      [shop, number, isOfOrder ? code : null],
    );
    const own = isOfOrder ? [] : [[code, detail, STATES[code] ?? "created"] as const];
    for (const [unit, [why, more, state]] of [
      ...own,
      [null, null, "awaiting_details"] as const,
    ].entries())
      await sql.rows(
        z.unknown(),
        `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit, reference_number, title, tests,
           medicare_tests, state, result_code, review_code, review_detail, reason_code, reason_detail, stage, order_mode,
           order_paid_at, created_at, updated_at)
         VALUES ($1, gen_random_uuid(), 'staging', 'gid://shopify/Order/' || $2::int, 'gid://shopify/LineItem/' || $2::int, $3,
           'KIND-' || $2::int || '-' || $3::int, 'Iron studies',
           (SELECT ARRAY[tests->0->>'id'] FROM catalogues WHERE shop = $1 LIMIT 1), '{}', $4, $5, $6, $7, $8, $7, $9, 'staging',
           now() - $2::int * interval '1 minute', now(), now())`,
        [
          ...[shop, number, unit + 1, state],
          ...(isResultReason(why) ? [why, null] : [null, why]),
          ...[more, why, why === null ? "awaiting_details" : "attention"],
        ],
      );
  }
}

test("every kind of item says what happened and what to do", async () => {
  await seedReasons(world);
  const merchant = await newPageAuditor();
  const frame = await openApp(world, merchant, {
    path: "/app/attention",
    heading: "Needs attention",
  });
  const shown = new Set<string>();
  for (let page = 1; page < 9; page += 1) {
    const entries = frame.locator(".pathway-entry");
    await entries.first().waitFor();
    for (const text of await entries.allInnerTexts()) shown.add(/#\d+/.exec(text)?.[0] ?? text);
    await merchant.look(`admin-attention-kinds-${page}`);
    const next = frame.getByRole("button", { name: "Next" });
    if ((await next.count()) === 0 || (await next.isDisabled())) break;
    const last = await entries.last().innerText();
    await next.click();
    await expect.poll(() => entries.last().innerText(), { timeout: 60_000 }).not.toBe(last);
  }
  expect(shown.size).toBe(REASONS.length);
});
