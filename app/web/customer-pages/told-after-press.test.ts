/** A page without script answers each press by the next page. It says what came of it, and promises no more. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { shareResult } from "../../modules/access/share-result.ts";
import type { Viewer } from "../../modules/access/viewer.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Ports } from "../../ports.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { answerCustomerPage } from "./page-routes.ts";

const db = await openTestDatabase();
const BASE = "/apps/pathway";

/** A visitor's browser: it follows where a press leads, and answers the words of the page. */
function browse(shop: ShopDomain, ports: object, viewer: Viewer) {
  const ask = async (address: string, init: RequestInit = {}): Promise<string> => {
    const url = new URL(address, "https://app.example");
    const answer = await answerCustomerPage({
      ports: ports as Ports,
      viewerScope: { shop, viewer },
      context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
      request: new Request(url, init),
      path: url.pathname.slice(BASE.length + 1),
      openDocument: async () => null,
      openExport: async () => new Response(null),
    });
    if (answer instanceof Response) return ask(answer.headers.get("location") ?? "");
    const markup = await hostedPage(answer, { help: NO_SHOP }).text();
    const main = /<main[^>]*>(.*)<\/main>/.exec(markup)?.[1] ?? "";
    return main.replaceAll(/<[^>]+>/g, " ");
  };
  return {
    see: (path: string) => ask(`${BASE}/${path}`),
    press: (path: string, fields: Record<string, string> = {}) =>
      ask(`${BASE}/${path}`, {
        method: "POST",
        body: new URLSearchParams({ [FORM_TOKEN]: "ours", ...fields }),
      }),
  };
}

/** A guest who has seen the results behind a mailed link. */
async function startGuest() {
  const world = await startLinked(db);
  const { resultId } = await world.deliver();
  const token = await world.mail("results_available");
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  const viewer = await world.enter(token);
  return { ...world, viewer, resultId, ...browse(world.shop, world.ports, viewer) };
}

test("begins with the shared link that is ready, once it was pressed", async () => {
  const { resultId, see, press } = await startGuest();
  expect(await see(`results/${resultId}/shares`)).not.toContain("The link is ready");
  const after = await press(`results/${resultId}/shares`, { days: "7", share: randomUUID() });
  expect(after).toMatch(/The link is ready.*Shared link 1.*Make a new link/s);
});

test("says that a shared link has ended, once it was pressed", async () => {
  const { shop, ports, viewer, resultId, see, press } = await startGuest();
  const made = await shareResult(ports, { shop, viewer, resultId });
  const share = made.kind === "shared" ? made.share : expect.unreachable(made.kind);
  expect(await see(`results/${resultId}/shares`)).not.toContain("has ended");
  const after = await press(`shares/${share.id}/end`, { result: resultId });
  expect(after).toContain("The link has ended");
  expect(after).toContain("Make a new link");
});

test("says that an invitation is cancelled, and its link with it", async () => {
  const { shop, ports, id, send } = await startInvitation(db);
  await send();
  const { see, press } = browse(shop, ports, BUYER);
  expect(await see("")).not.toContain("invitation is cancelled");
  const after = await press(`requests/${id}/take-back`);
  expect(after).toContain("The invitation is cancelled");
  expect(after).toContain("The link that we sent no longer opens this test");
});

test("says before visits end that shared links go on", async () => {
  const { see } = await startGuest();
  const before = await see("data");
  expect(before).toContain("Sign out everywhere");
  expect(before).toContain("Links that you shared with a doctor still open");
});

test("tells nobody with an account that they were signed out of it", async () => {
  const { shop, ports } = await startInvitation(db);
  const { see, press } = browse(shop, ports, BUYER);
  const before = await see("data");
  expect(before).not.toContain("Sign out everywhere");
  expect(before).not.toContain("this one too");
  expect(before).toContain("You stay signed in to your account");
  const after = await press("data/visits");
  expect(after).not.toContain("You are signed out everywhere");
  expect(after).toContain("You are still signed in to your account");
  expect(after).toContain("Back to your tests");
});
