import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { sendNotification } from "../notifications/send-notification.ts";
import { askForLink } from "./ask-for-link.ts";
import { findCustomerRequest } from "./list-requests.ts";
import { openLink, recogniseSession, whyClosed } from "./open-link.ts";
import { ownDetails } from "./own-details.ts";
import { renewLink } from "./renew-link.ts";

const db = await openTestDatabase();
const start = () => startLinked(db);

test("refuses an unopened link for details once the order has its results", async () => {
  const { mail, deliver, came, ports, shop, id, other } = await start();
  const asking = await mail("details_needed");
  await deliver(id);
  await deliver(other);
  expect(await whyClosed(ports, { shop, token: asking })).toBe("over");
  expect(await openLink(ports, { shop, token: asking })).toBeNull();
  expect(await came(asking)).toBeNull();
});

test("opens neither form nor results by a link for details while another unit waits", async () => {
  const { mail, deliver, enter, read, open } = await start();
  const asking = await mail("details_needed");
  const { form, report, resultId } = await deliver();
  const viewer = await enter(asking);
  expect(await read(viewer, resultId)).toBe("other_purpose");
  expect(await open(viewer, form)).toBe("other_purpose");
  expect(await open(viewer, report)).toBe("other_purpose");
});

test("opens the form, never results, by a forwarded link to the form", async () => {
  const { mail, deliver, ports, shop, read, open, told, sendCode, checkCode, code } = await start();
  const { form, report, resultId } = await deliver();
  const forwarded = await mail("form_ready");
  const session = await openLink(ports, { shop, token: forwarded });
  const came = await recogniseSession(ports, { shop, secret: session?.secret ?? "" });
  if (!came) throw new Error("The link let nobody in");
  expect(await open(came.viewer, form)).toBe("opened");
  expect(await open(came.viewer, report)).toBe("other_purpose");
  expect(await read(came.viewer, resultId)).toBe("other_purpose");
  // With the code too, it opens what it was mailed for.
  expect(await told(sendCode(came.viewer))).toBe("opened");
  expect(await checkCode(came.viewer, code())).toEqual({ kind: "accepted" });
  const later = await recogniseSession(ports, { shop, secret: session?.secret ?? "" });
  expect(later?.viewer).toMatchObject({ link: { steppedUpAt: expect.any(Date) } });
  expect(await open(later?.viewer ?? came.viewer, report)).toBe("other_purpose");
  expect(await read(later?.viewer ?? came.viewer, resultId)).toBe("other_purpose");
});

test("opens one unit by its link, and no other of the same order", async () => {
  const { mail, deliver, enter, open, other, id } = await start();
  const [one, two] = [await deliver(id), await deliver(other)];
  const viewer = await enter(await mail("form_ready", id));
  expect(await open(viewer, one.form)).toBe("opened");
  expect(await open(viewer, two.form)).toBe("other_purpose");
});

test("ends a link when a newer one of the same unit was mailed, also as bearer", async () => {
  const { mail, deliver, came, enter, ports, shop } = await start();
  await deliver();
  const first = await mail("form_ready");
  const opened = await mail("form_corrected");
  await enter(opened);
  const newest = await mail("results_available");
  expect(await whyClosed(ports, { shop, token: first })).toBe("superseded");
  for (const token of [first, opened]) {
    expect(await openLink(ports, { shop, token })).toBeNull();
    expect(await came(token)).toBeNull();
  }
  expect(await came(newest)).not.toBeNull();
});

test("keeps both links of mails that overtook each other, and ends both with the next", async () => {
  const { deliver, came, mail, mails, ports, shop, id, clock, token } = await start();
  await deliver();
  clock.advance(1000);
  const [firstLeaves, secondLeft] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const send = async (occurrence: string, before: () => Promise<void>) => {
    const due = { requestId: id, kind: "results_today", occurrence } as const;
    await db.tenancy.inShop(shop, (tenant) => tenant.notifications.note(due, clock.now()));
    const mailer: typeof ports.mailer = {
      async send(...mailed) {
        await before();
        return ports.mailer.send(...mailed);
      },
    };
    await sendNotification({ ...ports, mailer }, { shop, ...due });
  };
  const first = send("one", () => {
    firstLeaves.resolve();
    return secondLeft.promise;
  });
  await firstLeaves.promise;
  clock.advance(1000);
  await send("two", async () => {});
  secondLeft.resolve();
  await first;
  const overtaken = mails.map((one) => token(one));
  expect(overtaken).toHaveLength(2);
  for (const one of overtaken) expect(await whyClosed(ports, { shop, token: one })).toBeNull();
  const newest = await mail("results_available");
  for (const one of overtaken) expect(await came(one)).toBeNull();
  expect(await came(newest)).not.toBeNull();
});

test("keeps the link to results when the mail about the form is sent after it", async () => {
  const { mail, deliver, came } = await start();
  await deliver();
  const results = await mail("results_available");
  const form = await mail("form_ready");
  expect(await came(results)).not.toBeNull();
  expect(await came(form)).not.toBeNull();
});

test("keeps a guest's link for details while another unit of the order waits for them", async () => {
  const { mail, deliver, came, give, enter, other } = await start();
  const asking = await mail("details_needed");
  const viewer = await enter(asking);
  await deliver();
  await mail("form_ready");
  expect(await came(asking)).not.toBeNull();
  expect(await give(viewer, other)).toMatchObject({ kind: "saved" });
  await deliver(other);
  expect(await came(asking)).toBeNull();
});

test("goes on with a session whose link was superseded, and opens no more than the link", async () => {
  const { mail, deliver, ports, shop, open, read } = await start();
  const { form, resultId } = await deliver();
  const session = await openLink(ports, { shop, token: await mail("form_ready") });
  await mail("results_available");
  const came = await recogniseSession(ports, { shop, secret: session?.secret ?? "" });
  if (!came) throw new Error("The session has ended");
  expect(await open(came.viewer, form)).toBe("opened");
  expect(await read(came.viewer, resultId)).toBe("other_purpose");
});

test("ends a link and its session when the order has another address", async () => {
  const { mail, ports, shop, came, id } = await start();
  const asking = await mail("details_needed");
  expect(await came(asking)).not.toBeNull();
  const second = await mail("details_reminder");
  await db.tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(id);
    if (!request) throw new Error("no request");
    const order = storeOrder({ id: request.orderId, customerId: null });
    const buyer = { ...order.buyer, email: "corrected@example.com" };
    await tenant.orders.record({ ...order, buyer }, new Map(), new Date(Date.now() + 1e9));
  });
  expect(await whyClosed(ports, { shop, token: second })).toBe("moved");
  expect(await came(second)).toBeNull();
  expect(await came(asking)).toBeNull();
});

test("shows a link's purpose in what its visitor may open, and hides the buyer's data", async () => {
  const { mail, deliver, enter, ports, shop, id, other } = await start();
  await deliver();
  const viewer = await enter(await mail("results_available"));
  const seen = (requestId: string) => findCustomerRequest(ports, { shop, viewer, requestId });
  expect(await seen(id)).toMatchObject({
    access: { details: "other_purpose", form: "step_up_required", results: "step_up_required" },
  });
  expect(await seen(other)).toMatchObject({ state: "awaiting_details", prefill: null });
});

test("reads details back by the link that asked for them until the referral is ordered", async () => {
  const { mail, deliver, enter, give, ports, shop, told, id } = await start();
  const viewer = await enter(await mail("details_needed"));
  await give(viewer, id);
  const back = () => told(ownDetails(ports, { shop, viewer, requestId: id }));
  expect(await back()).toBe("opened");
  await deliver();
  expect(await back()).toBe("other_purpose");
});

test("mails a link for what the unit has now, to the known address, when one is asked for", async () => {
  const { mail, deliver, enter, ports, shop, id, mails, runJobs, token } = await start();
  await deliver();
  const former = await mail("form_ready");
  const viewer = await enter(former);
  expect(await askForLink(ports, { shop, viewer, requestId: id }, "next")).toBe("queued");
  await runJobs();
  expect(mails.at(-1)?.to).toBe("sam@example.com");
  const next = await enter(token(mails.at(-1)));
  expect(next).toMatchObject({ link: { purpose: "results" } });
  await renewLink(ports, { shop, by: { token: former } });
  await runJobs();
  // One for each asking link and day.
  expect(mails).toHaveLength(2);
  expect(await askForLink(ports, { shop, viewer: next, requestId: id }, "correction")).toBe(
    "queued",
  );
});
