/** Forms of which two arrive, because a button was pressed twice: the second answer is the one that a browser shows. */
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { listShares, shareResult } from "../../modules/access/share-result.ts";
import type { Viewer } from "../../modules/access/viewer.ts";
import type { Ports } from "../../ports.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { answerCustomerPage } from "./page-routes.ts";

const db = await openTestDatabase();
const BASE = "/visit/x";
let world: Awaited<ReturnType<typeof startLinked>>;
let resultId: string;
let viewer: Viewer;

beforeEach(async () => {
  world = await startLinked(db);
  ({ resultId } = await world.deliver());
  const token = await world.mail("results_available");
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  viewer = await world.enter(token);
});

/** Sends a form, and answers where its answer leads, or the page's heading. */
async function send(path: string, form: Record<string, string> = {}, by = viewer) {
  const answer = await answerCustomerPage({
    ports: world.ports as unknown as Ports,
    viewerScope: { shop: world.shop, viewer: by },
    context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
    request: new Request(`https://app.example${BASE}/${path}`, {
      method: "POST",
      body: new URLSearchParams({ ...form, [FORM_TOKEN]: "ours" }),
    }),
    path,
    openDocument: async () => null,
    openExport: async () => new Response(null),
  });
  if (answer instanceof Response) return answer.headers.get("location");
  const text = await hostedPage(answer, { help: NO_SHOP }).text();
  return /<h1>([^<]*)/.exec(text)?.[1];
}

test("hiding results, and showing them again, says twice that it is done", async () => {
  for (const press of [1, 2])
    expect([press, await send(`requests/${world.id}/hide`)]).toEqual([
      press,
      "The results are hidden",
    ]);
  for (const press of [1, 2])
    expect([press, await send(`requests/${world.id}/show`)]).toEqual([
      press,
      "The results are shown again",
    ]);
});

test("hiding what has no results is still refused", async () => {
  for (const path of [`requests/${world.other}/hide`, `requests/${world.other}/show`])
    expect(await send(path, {}, viewer)).not.toMatch(/The results are/);
});

test("a share that is ended twice is gone from its result's page both times", async () => {
  const made = await shareResult(world.ports, { shop: world.shop, viewer, resultId });
  const id = made.kind === "shared" ? made.share.id : expect.unreachable(made.kind);
  const shares = `${BASE}/results/${resultId}/shares?ended=1`;
  for (const press of [1, 2])
    expect([press, await send(`shares/${id}/end`, { result: resultId })]).toEqual([press, shares]);
  expect(await listShares(world.ports, { shop: world.shop, viewer })).toEqual([]);
});

test("nobody else is led to the page of a result by ending a share", async () => {
  const made = await shareResult(world.ports, { shop: world.shop, viewer, resultId });
  const id = made.kind === "shared" ? made.share.id : expect.unreachable(made.kind);
  const sent = await send(`shares/${id}/end`, { result: resultId }, world.STRANGER);
  expect(sent).toBe("This is not available");
  expect(await listShares(world.ports, { shop: world.shop, viewer })).toHaveLength(1);
});
