/** Forms that stood open while their test was cancelled. */
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { cancelRequest } from "../../modules/referrals/cancel-request.ts";
import type { Ports } from "../../ports.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { answerCustomerPage } from "./page-routes.ts";

const db = await openTestDatabase();
const BASE = "/apps/pathway";
let world: Awaited<ReturnType<typeof startInvitation>>;
beforeEach(async () => {
  world = await startInvitation(db);
});

/** Looks at an address of the buyer's, or sends a form there, and answers the page's text. */
async function visit(path: string, form?: Record<string, string>): Promise<string> {
  const body = form && new URLSearchParams({ ...form, [FORM_TOKEN]: "ours" });
  const answer = await answerCustomerPage({
    ports: world.ports as unknown as Ports,
    viewerScope: { shop: world.shop, viewer: BUYER },
    context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
    request: new Request(
      `https://shop.example${BASE}/${path}`,
      body ? { method: "POST", body } : {},
    ),
    path: path.replace(/\?.*/, ""),
    openDocument: async () => null,
    openExport: async () => new Response(null),
  });
  if (answer instanceof Response) return `to ${answer.headers.get("location")}`;
  return hostedPage(answer, { help: NO_SHOP }).text();
}

const TYPED = {
  ...{ firstName: "Ada", lastName: "Citizen", email: "ada@example.com", phone: "0412345678" },
  ...{ "dob.day": "2", "dob.month": "1", "dob.year": "1990", gender: "female" },
  ...{ "address.addressLine1": "1 High St", "address.city": "Melbourne" },
  ...{ "address.state": "VIC", "address.postCode": "3000", consent: "yes" },
};
const cancel = () =>
  cancelRequest(world.ports, { shop: world.shop, requestId: world.id, actor: "staff:1" });

test.each([
  ["details", TYPED],
  ["details?who=me", undefined],
  ["hand-over", { email: "pat@example.com" }],
  ["hand-over", undefined],
])("%s of a test that was cancelled says so, and nothing of an order", async (path, form) => {
  expect(await cancel()).toMatchObject({ kind: "cancelled" });
  const text = await visit(`requests/${world.id}/${path}`, form);
  expect(text).toContain("<h1>This test was cancelled</h1>");
  expect(text).not.toContain("has been ordered");
});

test("an invitation that is cancelled after its test was says so", async () => {
  await world.send();
  await cancel();
  const text = await visit(`requests/${world.id}/take-back`, {});
  expect(text).not.toContain("has been ordered");
});
