/** The report of a shared result, for a doctor whose page stood open. */
import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { endShare, shareResult } from "../../modules/access/share-result.ts";
import { action, loader } from "../../routes/shares.$token.$.ts";
import { writeToken } from "../customer-interface/token.ts";

const db = await openTestDatabase();

async function start() {
  const world = await startLinked(db);
  const { shop, mail, deliver, enter, sendCode, checkCode, code } = world;
  const { resultId, report } = await deliver();
  const token = await mail("results_available");
  await sendCode(await enter(token));
  await checkCode(await enter(token), code());
  const viewer = await enter(token);
  const made = await shareResult(world.ports, { shop, viewer, resultId });
  const share = made.kind === "shared" ? made.share : expect.unreachable(made.kind);
  const params = { token: writeToken(shop, share.token) };
  const base = `/shares/${params.token}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const ports = { ...world.ports, appUrl: "https://app.example" };
    const context = { app: { ports } } as unknown as AppLoadContext;
    const request = new Request("https://app.example/page", init);
    const route = init.method === "POST" ? action : loader;
    return route({ request, params: { ...params, "*": path }, context });
  };
  const opened = await ask("", {
    method: "POST",
    body: new URLSearchParams({ passcode: share.passcode }),
  });
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const see = async (path: string, headers: Record<string, string> = { cookie }) => {
    const answer = await ask(path, { headers });
    const type = answer.headers.get("content-type");
    const text = await answer.text();
    const asksAgain = text.includes("<h1>Enter the passcode again</h1>");
    return {
      status: answer.status,
      type,
      isAskedAgain: asksAgain && text.includes(`href="${base}"`),
    };
  };
  return { ...world, see, report, viewer, share };
}

test("asks for the passcode again once the visit is over, or where no cookie was kept", async () => {
  const { see, report, clock } = await start();
  expect(await see(`documents/${report}`)).toMatchObject({ status: 200, type: "application/pdf" });
  expect(await see(`documents/${report}`, {})).toMatchObject({ status: 404, isAskedAgain: true });
  clock.advance(2 * 3_600_000);
  expect(await see(`documents/${report}`)).toMatchObject({ status: 404, isAskedAgain: true });
});

test("says that there is nothing where another document is asked for, or the share has ended", async () => {
  const { see, report, form, viewer, share, ports, shop } = await start().then(async (world) => ({
    ...world,
    form: (await world.deliver(world.other)).form,
  }));
  expect(await see(`documents/${form}`)).toMatchObject({ status: 404, isAskedAgain: false });
  await endShare(ports, { shop, viewer, shareId: share.id });
  for (const headers of [undefined, {}])
    expect(await see(`documents/${report}`, headers)).toMatchObject({
      status: 404,
      isAskedAgain: false,
    });
});
