import { expect, test } from "vitest";
import { z } from "zod";
import { eventually, shareWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { requestsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";

const world = await shareWorld();
const shopping = goShopping(world);

const shareSchema = z.object({
  id: z.uuid(),
  resultId: z.uuid(),
  url: z.url(),
  passcode: z.string().min(6),
  expiresAt: z.string(),
  opens: z.array(z.object({ at: z.string() })),
});

test("a customer shares one result with a doctor, sees each look, and ends it", async () => {
  const shopper = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(shopper);
  const referral = only(await oneReferralEach(world, requests));
  await world.console.sendResults(referral.uuid, { abnormal: true, seed: 7 });
  const bearer = `Bearer ${await world.store.customerToken(shopper.id)}`;
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${world.line.app_url}/api/customer/${path}`, {
      ...init,
      headers: { authorization: bearer, "content-type": "application/json" },
    });
  const resultId = await eventually(async () => {
    const list = z
      .array(z.looseObject({ orderId: z.string(), resultId: z.uuid().optional() }))
      .parse(await (await call("requests")).json());
    return z.uuid().parse(list.find(({ orderId }) => orderId === order.id)?.resultId);
  });
  const made = await call(`results/${resultId}/shares`, {
    method: "POST",
    body: JSON.stringify({ days: 3 }),
  });
  expect(made.status).toBe(200);
  const share = shareSchema.parse(await made.json());
  expect(share.opens).toEqual([]);
  for (const days of [0, 91, "7"])
    expect(
      (await call(`results/${resultId}/shares`, { method: "POST", body: JSON.stringify({ days }) }))
        .status,
    ).toBe(422);

  const before = await fetch(share.url);
  expect(before.status).toBe(200);
  const form = await before.text();
  expect(form).toContain('name="passcode"');
  expect(form).not.toMatch(/mmol|Haemoglobin|Outside|Date of birth|Ngaire/);
  const show = (passcode: string) =>
    fetch(share.url, { method: "POST", body: new URLSearchParams({ passcode }) });
  const wrong = String((Number(share.passcode) + 1) % 100_000_000).padStart(8, "0");
  expect((await show(wrong)).status).toBe(422);
  const opened = await show(share.passcode);
  expect(opened.status).toBe(200);
  const page = await opened.text();
  expect(page).toContain("Haemoglobin");
  expect(page).not.toContain("Back to your tests");
  const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const path = /\/shares\/[^"]+\/documents\/[0-9a-f-]{36}/.exec(page)?.[0] ?? "";
  const report = await fetch(`${world.line.app_url}${path}`, { headers: { cookie } });
  expect(await report.text()).toContain("%PDF-");
  expect((await fetch(`${world.line.app_url}${path}`)).status).toBe(404);

  const listed = z.array(shareSchema).parse(await (await call("shares")).json());
  expect(listed).toMatchObject([{ id: share.id, url: share.url, opens: [{}] }]);
  const log = z
    .array(z.object({ who: z.string(), what: z.string() }))
    .parse(await (await call("access-log")).json());
  expect(log).toContainEqual({ who: "share", what: "share_opened" });

  expect((await call(`shares/${share.id}`, { method: "DELETE" })).status).toBe(204);
  expect((await fetch(share.url)).status).toBe(404);
  expect((await show(share.passcode)).status).toBe(404);
  expect(await (await call("shares")).json()).toEqual([]);
  expect((await requestsOf(world.sql, order.id)).length).toBe(1);
});
