import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createReferral,
  type Harness,
  issuedReferral,
  reach,
  startHarness,
  until,
} from "../testing/harness.ts";
import { type Receiver, startReceiver } from "../testing/webhook-receiver.ts";
import { deliveryList } from "../wire/console-wire.ts";

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await harness.console("PUT", "/faults", {});
  await harness.console("DELETE", "/webhook");
  await receiver.stop();
});

const listen = (more: Record<string, unknown> = {}) =>
  harness.console("PUT", "/webhook", { url: receiver.url, ...more });

const deliveries = async () =>
  deliveryList.parse((await harness.console("GET", "/deliveries")).body);

describe("the delivery log", () => {
  test("notes every attempt and tries again until the event is taken", async () => {
    await listen();
    receiver.answerWith(500);
    const { uuid } = await createReferral(harness);
    await receiver.count(2);
    receiver.answerWith(200);
    const done = await until(async () => {
      const mine = (await deliveries()).filter((entry) => entry.referralUuid === uuid);
      return mine.every((entry) => entry.state === "delivered") && mine;
    });
    const created = done.find((entry) => entry.event === "referral.created");
    expect(created?.attempts.length).toBeGreaterThan(1);
    expect(created?.attempts[0]).toMatchObject({ status: 500 });
    expect(created?.status).toBe(200);
    const ids = receiver.received
      .filter(({ body }) => body.event === "referral.created")
      .map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
  });

  test("an endpoint that is not there is tried again later", async () => {
    const { client, token } = await harness.newOrganisation();
    const as = (method: string, path: string, body?: unknown) =>
      harness.console(method, path, body, token);
    await as("PUT", "/webhook", { url: "http://127.0.0.1:1/none" });
    await createReferral(client);
    const entry = await until(async () =>
      deliveryList
        .parse((await as("GET", "/deliveries")).body)
        .find(({ attempts }) => attempts.length > 0),
    );
    expect(entry).toMatchObject({ state: "waiting", status: null });
    expect(entry.nextAttemptAt).not.toBeNull();
  });

  test("sends an event again on request, with the same id", async () => {
    await listen();
    await createReferral(harness);
    await receiver.count(2);
    const [newest] = await deliveries();
    const reply = await harness.console("POST", `/deliveries/${newest?.id}/redeliver`);
    expect(reply.status).toBe(200);
    const all = await receiver.count(3);
    expect(all[2]?.raw).toBe(all[1]?.raw);
    expect((await harness.console("POST", "/deliveries/none/redeliver")).status).toBe(404);
  });

  test("sends an event again that was on its way when somebody asked", async () => {
    await listen();
    const release = receiver.hold();
    const { uuid } = await createReferral(harness);
    await receiver.count(1);
    const created = (await deliveries()).find(
      (entry) => entry.referralUuid === uuid && entry.event === "referral.created",
    );
    await harness.console("POST", `/deliveries/${created?.id}/redeliver`);
    release();
    const twice = () => receiver.events().filter((event) => event === "referral.created").length;
    expect(await until(async () => twice() === 2)).toBe(true);
    const done = await until(async () =>
      (await deliveries()).find(({ id, state }) => id === created?.id && state === "delivered"),
    );
    expect(done.attempts).toHaveLength(2);
  });
});

describe("faults of events", () => {
  const faults = (webhooks: Record<string, unknown>) =>
    harness.console("PUT", "/faults", { webhooks });

  test("drop", async () => {
    await listen();
    await faults({ drop: 1 });
    const { uuid } = await issuedReferral(harness);
    const dropped = await until(async () => {
      const mine = (await deliveries()).filter((entry) => entry.referralUuid === uuid);
      return mine.length === 2 && mine.every(({ state }) => state === "dropped") && mine;
    });
    expect(dropped.every(({ attempts }) => attempts.length === 0)).toBe(true);
    expect(receiver.received).toEqual([]);
  });

  test("duplicate sends the same event id twice", async () => {
    await listen();
    await faults({ duplicate: true });
    await createReferral(harness);
    const all = await receiver.count(4);
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(2);
  });

  test("reorder lets the second event overtake the first", async () => {
    await listen();
    await faults({ reorder: 1 });
    const { uuid } = await createReferral(harness);
    await reach(harness, uuid, "ISSUED");
    await receiver.count(2);
    expect(receiver.events()).toEqual(["referral.issued", "referral.created"]);
  });

  test("delayMs holds events back", async () => {
    await listen();
    await faults({ delayMs: 300 });
    const startedAtMs = Date.now();
    await createReferral(harness);
    await receiver.count(1);
    expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(290);
  });
});
