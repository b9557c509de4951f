import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { only } from "../../../test/model/only.ts";
import type { ReferralServiceError } from "../../platform/errors.ts";
import { doPrivacyRequest } from "../privacy/do-privacy-request.ts";
import { createShopEraser } from "../privacy/postgres/shop-eraser.ts";
import type { ReferralService } from "./referral-service.ts";
import { tellWaiting } from "./tell-waiting.ts";

const db = await openTestDatabase();
let world: Awaited<ReturnType<typeof startLinked>>;
let serviceAnswer: "open" | "refuses" | "none";

/** The guest has two units; the form of the first is issued, and its results are not there. */
beforeEach(async () => {
  world = await startLinked(db);
  serviceAnswer = "none";
  await world.deliver();
  await db.pool.query("DELETE FROM results WHERE shop = $1", [world.shop]);
  await db.pool.query("UPDATE referrals SET status = 'ISSUED' WHERE shop = $1", [world.shop]);
  await db.pool.query("UPDATE shops SET contact_email = 'shop@example.com' WHERE shop = $1", [
    world.shop,
  ]);
  world.mails.length = 0;
});

const refusal = () =>
  Object.assign(new Error("refused"), { failure: "unauthorized" } satisfies Pick<
    ReferralServiceError,
    "failure"
  >);
const NONE = { entries: [], unreadable: [] };
/** Answers, or refuses, the call by which is told whether the credentials count. */
const service = only<ReferralService>("service", {
  listBundles: async () => (serviceAnswer === "open" ? NONE : Promise.reject(refusal())),
});
const ports = () => ({
  ...world.ports,
  services: { forConnection: async () => (serviceAnswer === "none" ? null : service) },
});
const tell = (environment?: "staging" | "production") =>
  tellWaiting(ports(), { shop: world.shop, ...(environment ? { environment } : {}) });
const leave = () =>
  db.tenancy.inShop(world.shop, (tenant) => tenant.shops.uninstall(world.clock.now()));
const toldTo = () => world.mails.map(({ to, subject }) => `${to}: ${subject.replace(/ \(.*/, "")}`);
const BUYER = "How you get your results";
const SHOP = "Patients are waiting for their results";

test("tells the owner and the merchant once when the shop has left, and links nowhere", async () => {
  await leave();
  for (const _ of [1, 2, 3]) {
    expect(await tell()).toMatchObject({ kind: "told" });
    await world.runJobs();
  }
  const subjects = toldTo();
  expect(subjects).toHaveLength(2);
  expect(subjects.join("\n")).toContain(BUYER);
  expect(subjects).toContain(`shop@example.com: ${SHOP}`);
  const [patients, merchants] = ["results online", "credentials"].map((word) =>
    world.mails.find(({ text }) => text.includes(word)),
  );
  expect(patients?.text).toMatch(/Reference \d{8}/);
  expect(patients?.text).not.toContain("http");
  expect(merchants?.text).toContain(`https://${world.shop}/admin/orders/`);
  expect(merchants?.html).toContain(`href="https://${world.shop}/admin/orders/`);
  // Nobody's health: not what was ordered.
  expect(world.mails.map(({ text, html }) => text + html).join(" ")).not.toMatch(/Iron|Ferritin/);
});

test("tells nobody while the shop has the app and its credentials work", async () => {
  serviceAnswer = "open";
  expect(await tell()).toEqual({ kind: "nothing_to_tell" });
  expect(await tell("staging")).toEqual({ kind: "nothing_to_tell" });
});

test.each(["refuses", "none"] as const)(
  "tells them when the connection is cut off: %s",
  async (answer) => {
    serviceAnswer = answer;
    expect(await tell("production")).toMatchObject({ kind: "told" });
    await world.runJobs();
    expect(world.mails).toHaveLength(0);
    await tell("staging");
    await world.runJobs();
    expect(toldTo().join("\n")).toContain(BUYER);
  },
);

test("tells nobody whose results are all there, or whose form was never issued", async () => {
  await leave();
  await db.pool.query("UPDATE referrals SET status = 'CREATED' WHERE shop = $1", [world.shop]);
  await tell();
  await world.runJobs();
  expect(world.mails).toHaveLength(0);
});

test("says nothing any more when the shop is back before the mail is out, and tells at its next leaving", async () => {
  await leave();
  await tell();
  world.clock.advance(1000);
  await db.tenancy.inShop(world.shop, (tenant) => tenant.shops.install("", world.clock.now()));
  await world.runJobs();
  expect(world.mails).toHaveLength(0);
  world.clock.advance(1000);
  await leave();
  await tell();
  await world.runJobs();
  expect(world.mails).toHaveLength(2);
});

test("a shop is erased only after its patients were told, and after ten days in any case", async () => {
  await leave();
  const eraser = createShopEraser(db.pool);
  const asked = { kind: "shop_redacted", inboxId: "77", customerId: null, orderIds: [] } as const;
  const at = world.clock.now();
  await db.tenancy.inShop(world.shop, (tenant) =>
    tenant.privacy.open({ ...asked, orderIds: [], askedAt: at, openedAt: at }),
  );
  const storeAccess = { check: async () => "refused" as const, hasCustomer: async () => false };
  const erase = () =>
    doPrivacyRequest(
      { ...world.ports, shopEraser: eraser, storeAccess },
      { shop: world.shop, inboxId: "77" },
    );
  world.clock.advance(world.ports.waits.erasureDelayMs + 1);
  expect(await erase()).toMatchObject({ kind: "delayed" });
  await world.runJobs();
  expect(world.mails).toHaveLength(2);
  expect(await erase()).toMatchObject({ kind: "done" });
  const { rows } = await db.pool.query("SELECT 1 FROM referral_requests WHERE shop = $1", [
    world.shop,
  ]);
  expect(rows).toEqual([]);
});
