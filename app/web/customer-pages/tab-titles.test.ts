import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import { putSavedPatient } from "../../modules/access/saved-patients.ts";
import type { Viewer } from "../../modules/access/viewer.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Ports } from "../../ports.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { answerCustomerPage } from "./page-routes.ts";

const db = await openTestDatabase();
const BASE = "/visit/x";

/** Opens a page, and answers its heading and its document's title; null where there is no page. */
async function open(world: { shop: ShopDomain; ports: object }, viewer: Viewer, path: string) {
  const url = new URL(`https://app.example${BASE}/${path}`);
  const answer = await answerCustomerPage({
    ports: world.ports as Ports,
    viewerScope: { shop: world.shop, viewer },
    context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
    request: new Request(url),
    path: url.pathname.slice(BASE.length + 1),
    openDocument: async () => null,
    openExport: async () => new Response(null),
  });
  if (answer instanceof Response) return expect.unreachable(`${path} ${answer.status}`);
  const text = await hostedPage(answer, { help: NO_SHOP }).text();
  expect([path, answer.status]).toEqual([path, 200]);
  return {
    heading: /<h1>([^<]*)/.exec(text)?.[1] ?? "",
    title: /<title>([^<]*)/.exec(text)?.[1] ?? "",
  };
}

test("a browser's history names no test, no order and no person behind a mailed link", async () => {
  const world = await startLinked(db);
  const { resultId } = await world.deliver();
  const token = await world.mail("results_available");
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  const viewer = await world.enter(token);
  const asking = await world.enter(await world.mail("details_needed", world.other));
  const [test, other] = await world.see(viewer);
  const names = [test, other].flatMap((one) => (one ? [one.title, one.orderName] : []));
  expect(names.length).toBeGreaterThan(2);
  const pages = [
    ["", viewer],
    ["data", viewer],
    ["agreed", viewer],
    [`results/${resultId}`, viewer],
    [`results/${resultId}/shares`, viewer],
    [`requests/${world.id}/erase`, viewer],
    [`requests/${world.other}/details`, asking],
    [`requests/${world.other}/details?who=me`, asking],
    [`requests/${world.other}/hand-over`, asking],
  ] as const;
  let named = 0;
  for (const [path, by] of pages) {
    const { heading, title } = await open(world, by, path);
    for (const name of names)
      expect([path, title]).not.toEqual([path, expect.stringContaining(name)]);
    if (names.some((name) => heading.includes(name))) named++;
  }
  // The page itself still says which test it is about.
  expect(named).toBeGreaterThan(3);
});

test("nor whose details an account keeps", async () => {
  const world = await startInvitation(db);
  const id = randomUUID();
  await putSavedPatient(world.ports, { shop: world.shop, viewer: BUYER, id, details: PATIENT });
  const { heading, title } = await open(world, BUYER, `saved/${id}/delete`);
  expect(heading).toContain(PATIENT.lastName);
  expect(title).not.toContain(PATIENT.lastName);
});
