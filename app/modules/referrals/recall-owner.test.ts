import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER } from "../../../test/database/invitation.ts";
import { startRestorable } from "../../../test/database/restorable.ts";
import { connect, orderLine, PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { invitePatient, revokeInvitation } from "../access/invite-patient.ts";
import { findCustomerRequest } from "../access/list-requests.ts";
import { openLink } from "../access/open-link.ts";
import { savePatientDetails } from "../access/save-patient-details.ts";
import type { Viewer } from "../access/viewer.ts";
import type { Mapping } from "../catalogue/mapping.ts";
import { gid } from "../kernel/ids.ts";
import { resendDetails } from "../notifications/resend-details.ts";
import { retryMails } from "../notifications/retry-mails.ts";
import { openUnits } from "../orders/orders/open-units.ts";
import { recallOwners } from "./recall-owner.ts";
import { linkReferrals } from "./requests/link-referrals.ts";

const opened = await openTestDatabase();
/** A backup has a unit as it was. */
const KEPT = {
  referral_requests: [
    ...["state", "stage", "owner", "invited_email_sealed", "invited_at", "accepted_at"],
    ...["patient_sealed", "consent_at", "mail_refused_at", "reason_code"],
  ],
};
const DETAILS = { ...PATIENT, consent: true };

async function start() {
  const world = await startRestorable(opened, KEPT);
  const { shop, ports, id, tenancy, mails, token, runJobs, clock } = world;
  await connect(opened, shop);
  await opened.pool.query("UPDATE referral_requests SET customer_id = $2 WHERE shop = $1", [
    shop,
    gid("Customer", 7),
  ]);
  const viewer = BUYER;
  const find = () => tenancy.inShop(shop, (tenant) => tenant.requests.find(id));
  const emailOf = () => tenancy.inShop(shop, (tenant) => tenant.requests.invitedEmailOf(id));
  return {
    ...world,
    viewer,
    find,
    emailOf,
    async invites(email: string) {
      clock.advance(1_000);
      const outcome = await invitePatient(ports, { shop, viewer, requestId: id, email });
      await runJobs();
      return { ...outcome, token: token(mails.at(-1)) };
    },
    takesBack: () => {
      clock.advance(1_000);
      return revokeInvitation(ports, { shop, viewer, requestId: id });
    },
    gives: (by: Viewer) =>
      savePatientDetails(ports, { shop, viewer: by, requestId: id, details: DETAILS }),
    /** As when the pause ends, after a walk through the service's list. */
    recall: () => tenancy.inShop(shop, (tenant) => recallOwners(tenant, "staging", clock.now())),
    /** The walk finds a referral of the unit. */
    async finds(email: string | null = "pat@example.com") {
      const request = await find();
      if (!request) return expect.unreachable();
      const { person } = referralSnapshot();
      const { referenceNumber } = request;
      const referral = referralSnapshot({ referenceNumber, person: { ...person, email } });
      await tenancy.inShop(shop, (tenant) =>
        linkReferrals(tenant, request, [referral], clock.now()),
      );
    },
    async pauses(isPaused: boolean) {
      await opened.pool.query(
        `UPDATE connections SET paused_at = CASE WHEN $2 THEN $3::timestamptz END, restore_point = CASE WHEN $2 THEN $3::timestamptz END
         WHERE shop = $1`,
        [shop, isPaused, clock.now()],
      );
    },
    item: async () => {
      const items = await tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.find(id);
        return tenant.overview.attentionOf(request ? [request.orderId] : []);
      });
      return items.map(({ reason, undelivered }) => [reason.code, undelivered]);
    },
    see: () => findCustomerRequest(ports, { shop, viewer, requestId: id }),
  };
}

describe("a unit that was handed over since the backup", () => {
  test("is its patient's when its referral is found, who is mailed at the address there", async () => {
    const { invites, backsUp, restores, pauses, finds, find, emailOf, see, takesBack, item } =
      await start();
    await backsUp();
    await invites("pat@example.com");
    await restores();
    await pauses(true);
    expect(await find()).toMatchObject({ owner: "buyer" });
    await finds("patients.own@example.com");
    expect(await find()).toMatchObject({ state: "created", owner: "patient", mailRefusedAt: null });
    expect((await find())?.acceptedAt).not.toBeNull();
    expect(await emailOf()).toBe("patients.own@example.com");
    expect(await see()).toMatchObject({ state: "handed_over", documents: [], parts: [] });
    expect(await takesBack()).toEqual({ kind: "too_late" });
    expect(await item()).toEqual([]);
  });

  test.each([null, "", "no address"])(
    "is its patient's where the referral says %j, and nobody else's",
    async (email) => {
      const { invites, backsUp, restores, finds, find, emailOf, see, takesBack, item } =
        await start();
      await backsUp();
      await invites("pat@example.com");
      await restores();
      await finds(email);
      expect(await find()).toMatchObject({ state: "created", owner: "patient" });
      expect(await emailOf()).toBeNull();
      expect(await see()).toMatchObject({
        state: "handed_over",
        documents: [],
        canHandOver: false,
      });
      expect(await takesBack()).toEqual({ kind: "too_late" });
      expect(await invites("buyer@example.com")).toMatchObject({ kind: "too_late" });
      expect(await item()).toEqual([["mail_refused", "lost"]]);
    },
  );

  test("is told to staff and buyer where there is no referral, and is handed over anew", async () => {
    const { invites, backsUp, restores, recall, pauses, find, see, item, takesBack, emailOf } =
      await start();
    await backsUp();
    await invites("pat@example.com");
    await restores();
    await pauses(true);
    await recall();
    // Its referral may still be found: nobody is told yet, and whoever paid can't name another patient.
    expect(await item()).toEqual([]);
    expect(await invites("buyer@example.com")).toMatchObject({ kind: "too_late" });
    await pauses(false);
    await recall();
    expect(await find()).toMatchObject({ state: "awaiting_details", owner: "patient" });
    expect(await item()).toEqual([["mail_refused", "lost"]]);
    expect(await see()).toMatchObject({ canHandOver: true, handOver: { canTakeBack: true } });
    expect((await see())?.nextStep).toContain("restore our records");
    expect(await takesBack()).toMatchObject({ kind: "taken_back" });
    expect(await item()).toEqual([]);
    // A process that has read the words of the lost database, and none of this one.
    await recall();
    expect(await find()).toMatchObject({ owner: "buyer" });
    expect(await invites("pat@example.com")).toMatchObject({ kind: "handed_over" });
    await recall();
    expect(await find()).toMatchObject({ owner: "patient", mailRefusedAt: null });
    expect(await emailOf()).toBe("pat@example.com");
  });

  test("waits for a referral of it that was listed and can't be read yet", async () => {
    const { invites, backsUp, restores, recall, find, item, shop, tenancy } = await start();
    await backsUp();
    await invites("pat@example.com");
    await restores();
    const { referenceNumber = "" } = (await find()) ?? {};
    await tenancy.inShop(shop, (tenant) =>
      tenant.restores.recordUnclaimed("staging", [{ uuid: randomUUID(), referenceNumber }]),
    );
    await recall();
    expect(await find()).toMatchObject({ owner: "buyer" });
    expect(await item()).toEqual([]);
    expect(await invites("buyer@example.com")).toMatchObject({ kind: "too_late" });
  });

  test("is not given back to its buyer once its referral turns up after all", async () => {
    const { invites, backsUp, restores, recall, finds, find, see, takesBack } = await start();
    await backsUp();
    await invites("pat@example.com");
    await restores();
    await recall();
    // Invited anew by the buyer, and not come here.
    expect(await invites("pat@example.com")).toMatchObject({ kind: "handed_over" });
    await finds();
    expect(await find()).toMatchObject({ state: "created", owner: "patient", acceptedAt: null });
    expect(await see()).toMatchObject({ handOver: { canTakeBack: false }, documents: [] });
    expect(await takesBack()).toEqual({ kind: "too_late" });
  });

  test("stays lost whatever email staff ask for", async () => {
    const { invites, backsUp, restores, recall, item, see, find, shop, id, other, ports } =
      await start();
    await backsUp();
    await invites("pat@example.com");
    await restores();
    await recall();
    const { orderId = gid("Order", 0) } = (await find()) ?? {};
    const asked = { shop, orderId, requestId: id, actor: "staff:1" as const };
    expect(await retryMails(ports, asked)).toEqual({ kind: "nothing_refused" });
    expect(await resendDetails(ports, asked)).toEqual({ kind: "queued" });
    const { rows } = await opened.pool.query(
      "SELECT request_id FROM timeline WHERE shop = $1 AND kind = 'details_asked'",
      [shop],
    );
    // The buyer's other test waits.
    expect(rows).toEqual([{ request_id: other }]);
    expect(await item()).toEqual([["mail_refused", "lost"]]);
    expect((await see())?.nextStep).toContain("restore our records");
  });

  test("loses what the buyer had typed of its patient, and is not sent with that", async () => {
    const { gives, viewer, invites, backsUp, restores, recall, find } = await start();
    expect(await gives(viewer)).toMatchObject({ kind: "saved" });
    await backsUp();
    await invites("pat@example.com");
    await restores();
    expect(await find()).toMatchObject({ state: "ready", hasPatient: true });
    await recall();
    expect(await find()).toMatchObject({
      ...{ state: "awaiting_details", hasPatient: false, owner: "patient" },
    });
  });
});

test("does not mail the former address of a patient who was invited at another since the backup", async () => {
  const { invites, backsUp, restores, recall, emailOf, item, shop, ports } = await start();
  const first = await invites("typo@example.com");
  await backsUp();
  await invites("pat@example.com");
  await restores();
  expect(await emailOf()).toBeNull();
  await recall();
  expect(await emailOf()).toBeNull();
  expect(await item()).toEqual([["mail_refused", "lost"]]);
  expect(await openLink(ports, { shop, token: first.token })).toBeNull();
});

test("keeps the address of a patient who was invited there again since the backup", async () => {
  const { invites, backsUp, restores, recall, emailOf, item } = await start();
  await invites("pat@example.com");
  await backsUp();
  await invites(" PAT@example.com");
  await restores();
  await recall();
  expect(await emailOf()).toBe("pat@example.com");
  expect(await item()).toEqual([]);
});

test("gives a unit back whose invitation was taken back since the backup", async () => {
  const { invites, takesBack, backsUp, restores, recall, find, emailOf } = await start();
  await invites("pat@example.com");
  await backsUp();
  expect(await takesBack()).toMatchObject({ kind: "taken_back" });
  await restores();
  expect(await emailOf()).toBeNull();
  await recall();
  expect(await find()).toMatchObject({ owner: "buyer" });
});

test("leaves a unit to its buyer that was handed over and taken back since the backup, or never", async () => {
  const { invites, takesBack, backsUp, restores, recall, finds, find, id, other } = await start();
  await backsUp();
  await invites("pat@example.com");
  await takesBack();
  await restores();
  await recall();
  await finds();
  expect(await find()).toMatchObject({ id, owner: "buyer", state: "created" });
  const { rows } = await opened.pool.query("SELECT owner FROM referral_requests WHERE id = $1", [
    other,
  ]);
  expect(rows).toEqual([{ owner: "buyer" }]);
});

test("is its patient's where it was handed over and taken back in one millisecond: doubt shuts", async () => {
  const { invites, backsUp, restores, recall, find, ports, shop, viewer, id } = await start();
  await backsUp();
  await invites("pat@example.com");
  expect(await revokeInvitation(ports, { shop, viewer, requestId: id })).toMatchObject({
    kind: "taken_back",
  });
  await restores();
  await recall();
  expect(await find()).toMatchObject({ owner: "patient" });
});

test("leaves a former generation to its buyer when the next one was handed over", async () => {
  const { invites, restores, backsUp, find, recall, id } = await start();
  await opened.pool.query("UPDATE referral_requests SET generation = 2 WHERE id = $1", [id]);
  await backsUp();
  await invites("pat@example.com");
  await restores();
  await opened.pool.query("UPDATE referral_requests SET generation = 1 WHERE id = $1", [id]);
  await recall();
  expect(await find()).toMatchObject({ owner: "buyer" });
});

test("a unit of an order that came after the backup is its patient's as soon as the order is brought in", async () => {
  const { invites, restores, backsUp, find, shop, tenancy, id, clock } = await start();
  const before = await find();
  if (!before) return expect.unreachable();
  await backsUp();
  await invites("pat@example.com");
  await opened.pool.query("DELETE FROM referral_requests WHERE id = $1", [id]);
  await restores();
  const [again = ""] = await tenancy.inShop(shop, async (tenant) => {
    const order = storeOrder({ id: before.orderId, customerId: null });
    const { environment, items } = before;
    const line = orderLine();
    const { variantId, productId } = line;
    const mapping = {
      environment,
      variantId,
      productId,
      kind: "order" as const,
      items,
    } as Mapping & {
      kind: "order";
    };
    return openUnits(tenant, { order, line, mapping, units: [1], now: clock.now() });
  });
  const { rows } = await opened.pool.query("SELECT owner FROM referral_requests WHERE id = $1", [
    again,
  ]);
  expect(again).not.toBe(id);
  expect(rows).toEqual([{ owner: "patient" }]);
});
