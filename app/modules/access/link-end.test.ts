import { describe, expect, test } from "vitest";
import { DAY, sampleReferral, sampleRequest } from "../../../test/samples/facts.ts";
import { sampleLink } from "../../../test/samples/links.ts";
import { sampleTenant } from "../../../test/samples/tenant.ts";
import type { StoredReferral } from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { Shop } from "../shops/shop.ts";
import type { AccessLink } from "./link.ts";
import { endOf, findLinked, isOver } from "./link-end.ts";

const own = sampleRequest();
const BUYER = { firstName: null, lastName: null, phone: null, address: null, statusUrl: null };

interface World {
  request?: ReferralRequest | null;
  order?: ReferralRequest[];
  referrals?: StoredReferral[];
  installed?: boolean | null;
  /** Where the buyer and the owner are mailed now. */
  buyer?: string | null;
  owner?: string | null;
}

function tenantOf({
  request = own,
  order = [own],
  referrals = [],
  installed = true,
  buyer = null,
  owner = null,
}: World = {}) {
  return sampleTenant({
    shops: { find: async () => (installed === null ? null : ({ installed } as Shop)) },
    requests: {
      find: async (id) => (id === "request" ? request : null),
      forOrder: async () => order,
      invitedEmailOf: async () => owner,
    },
    referrals: { forRequests: async (ids) => (ids[0] === "request" ? referrals : []) },
    orders: {
      buyerOf: async () => ({ ...BUYER, email: buyer }),
    },
    links: { recipientOf: (email) => Buffer.from(email) },
  });
}
const end = (link: Partial<AccessLink> = {}, world: World = {}, now = DAY) =>
  endOf(tenantOf(world), sampleLink(link), now);

describe("a link ends", () => {
  test("for none of these reasons while it is fresh", async () => {
    expect(await end()).toBeNull();
  });

  test("when it was used, superseded or revoked", async () => {
    expect(await end({ usedAt: DAY })).toBe("used");
    expect(await end({ supersededAt: DAY, usedAt: DAY })).toBe("superseded");
    expect(await end({ revokedAt: DAY, supersededAt: DAY })).toBe("revoked");
  });

  test("with its last moment", async () => {
    const { expiresAt } = sampleLink();
    expect(await end({}, {}, new Date(expiresAt.getTime() - 1))).toBeNull();
    expect(await end({}, {}, expiresAt)).toBe("expired");
  });

  test("before it begins when it lets nobody in", async () => {
    expect(await end({ kind: "buyer_stop", purpose: "stop" })).toBe("revoked");
    expect(await end({ kind: "patient_stop", purpose: "stop" })).toBe("revoked");
    const late = sampleLink().expiresAt;
    expect(await end({ kind: "buyer_stop", purpose: "stop" }, {}, late)).toBe("revoked");
  });

  test("with its shop, whatever else has ended it", async () => {
    for (const installed of [false, null]) {
      expect(await end({}, { installed })).toBe("left");
      expect(await end({ usedAt: DAY, revokedAt: DAY }, { installed })).toBe("left");
    }
  });

  test("when its recipient has another address now, or does not hold the unit any more", async () => {
    const recipient = Buffer.from("sam@example.com");
    expect(await end({ recipient }, { buyer: "pat@example.com" })).toBe("moved");
    expect(await end({ recipient }, { buyer: null })).toBe("moved");
    expect(await end({ recipient, kind: "handover" }, { owner: "sam@example.com" })).toBe(
      "revoked",
    );
  });

  test("when its request is not to be found, and when its purpose is over", async () => {
    for (const kind of ["guest", "handover"] as const)
      expect(await end({ kind }, { request: null })).toBe("revoked");
    expect(await end({}, { order: [sampleRequest({ state: "created" })] })).toBe("over");
  });
});

describe("the request of a link", () => {
  const linked = (link: Partial<AccessLink>, world: World = {}) =>
    findLinked(tenantOf(world), sampleLink(link));
  const recipient = Buffer.from("sam@example.com");

  test("is found while the shop has the app", async () => {
    expect(await linked({})).toBe(own);
    expect(await linked({}, { installed: false })).toBeNull();
    expect(await linked({}, { installed: null })).toBeNull();
    expect(await linked({ requestId: "unknown" })).toBeNull();
  });

  test("is not found by a link that ends reminders", async () => {
    expect(await linked({ kind: "buyer_stop" })).toBeNull();
  });

  test("is a patient's only while they hold it", async () => {
    const request = sampleRequest({ owner: "patient" });
    expect(await linked({ kind: "handover" }, { request })).toBe(request);
    expect(await linked({ kind: "handover" })).toBeNull();
  });

  test("is a guest's only while the order has the address that the link was mailed to", async () => {
    expect(await linked({ recipient }, { buyer: "sam@example.com" })).toBe(own);
    expect(await linked({ recipient }, { buyer: "pat@example.com" })).toBeNull();
    expect(await linked({ recipient }, { owner: "sam@example.com" })).toBeNull();
  });

  test("is a patient's only while they have the address that the link was mailed to", async () => {
    const world = { request: sampleRequest({ owner: "patient" }) };
    const link = { kind: "handover", recipient } as const;
    expect(await linked(link, { ...world, owner: "sam@example.com" })).toBe(world.request);
    expect(await linked(link, { ...world, owner: "pat@example.com" })).toBeNull();
    expect(await linked(link, { ...world, buyer: "sam@example.com" })).toBeNull();
  });
});

describe("the purpose of a link", () => {
  const over = (link: Partial<AccessLink>, world: World = {}) =>
    isOver(tenantOf(world), sampleLink(link), world.request ?? own);
  const created = sampleRequest({ state: "created", hasPatient: true });

  test.each(["details", "invitation"] as const)(
    "of %s is over for a guest when all of the order is ordered, for a patient with their unit",
    async (purpose) => {
      const order = [created, own];
      expect(await over({ purpose }, { order })).toBe(false);
      expect(await over({ purpose }, { order: [created] })).toBe(true);
      const handover = { kind: "handover", purpose } as const;
      expect(await over(handover, { request: own, order: [created] })).toBe(false);
      expect(await over(handover, { request: created, order })).toBe(true);
    },
  );

  test("of a correction is over once it cannot be made", async () => {
    const referrals = [sampleReferral()];
    expect(await over({ purpose: "correction" }, { request: created, referrals })).toBe(false);
    const late = [sampleReferral({ status: "COMPLETE" })];
    expect(await over({ purpose: "correction" }, { request: created, referrals: late })).toBe(true);
  });

  test.each(["form", "results", "status", "stop"] as const)(
    "of %s is never over",
    async (purpose) => {
      expect(await over({ purpose }, { request: created, order: [created] })).toBe(false);
    },
  );
});
