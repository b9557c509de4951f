/** The pages behind a mailed link after their owner has deleted the data of the test that the link was for. */
import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { openLink } from "../../modules/access/open-link.ts";
import { action } from "../../routes/visit.$address.$.ts";
import { writeToken } from "../customer-interface/token.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { sessionFormToken } from "./session-cookie.ts";

const db = await openTestDatabase();

/** A visit with the mailed code, and the form that deletes. */
async function start() {
  const world = await startLinked(db);
  const { shop, id, mail, deliver, viewerOf, sendCode, checkCode, code } = world;
  await deliver();
  const session = await openLink(world.ports, { shop, token: await mail("results_available") });
  if (!session) return expect.unreachable("The link let nobody in");
  const { secret, linkId } = session;
  const viewer = (await viewerOf(secret)) ?? expect.unreachable();
  await sendCode(viewer);
  await checkCode(viewer, code());
  const press = async (requestId = id, shown = {}) => {
    const request = new Request("https://app.example/page", {
      method: "POST",
      headers: { cookie: `pathway_visit=${secret}` },
      body: new URLSearchParams({ [FORM_TOKEN]: sessionFormToken(secret), ...shown }),
    });
    const ports = { ...world.ports, appUrl: "https://app.example" };
    const context = { app: { ports } } as unknown as AppLoadContext;
    const params = { address: writeToken(shop, linkId), "*": `requests/${requestId}/erase` };
    const response = await action({ request, params, context });
    return { headers: response.headers, text: await response.text() };
  };
  return { ...world, press, secret };
}

test("deleting the test that the link was for signs out, and leads back to no page that has ended", async () => {
  const { press, viewerOf, secret } = await start();
  const { headers, text } = await press();
  expect(text).toContain("Your data is deleted");
  expect(await viewerOf(secret)).toBeNull();
  expect(text).not.toContain("Back to your tests");
  expect(text).not.toContain("Sign out");
  expect(headers.get("clear-site-data")).toBe('"cache", "storage"');
});

test("deleting that is pressed twice says so again, and mails no link", async () => {
  const { press, mails, runJobs } = await start();
  await press();
  await runJobs();
  const before = mails.length;
  const { text } = await press();
  expect(text).not.toContain("Check your email");
  expect(text).toContain("This visit has ended");
  expect(text).toContain("your data is deleted");
  await runJobs();
  expect(mails).toHaveLength(before);
});

test("deleting where a result came after the page was opened shows what is deleted now, and deletes nothing", async () => {
  const { press, viewerOf, secret, id } = await start();
  await db.pool.query("UPDATE results SET released_at = NULL WHERE request_id = $1", [id]);
  const { text } = await press(id, { seen: "has_results" });
  expect(text).toContain("Nothing was deleted.");
  expect(text).toContain("that you haven’t been shown yet");
  expect(text).toContain('name="seen" value="unseen_results"');
  expect(await viewerOf(secret)).not.toBeNull();
  expect((await press(id, { seen: "unseen_results" })).text).toContain("Your data is deleted");
});

test("deleting that comes after the visit ended by the clock deletes nothing, and a new link is mailed", async () => {
  const { press, clock, mails, runJobs, enter, mail } = await start();
  clock.advance(2 * 3_600_000);
  const before = mails.length;
  expect((await press()).text).toContain("Check your email");
  await runJobs();
  expect(mails.slice(before).map(({ subject }) => subject)).toEqual([
    expect.stringContaining("Your new link"),
  ]);
  expect(await enter(await mail("results_available"))).toBeDefined();
});
