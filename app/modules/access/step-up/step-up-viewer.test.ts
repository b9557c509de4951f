import { expect, test } from "vitest";
import { storeOrder } from "../../../../test/database/seed.ts";
import { DAY, sampleRequest } from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import { CUSTOMER, sampleGuest, samplePatient } from "../../../../test/samples/viewers.ts";
import { LinkRefused } from "../link-access.ts";
import { LINK_PURPOSES } from "../link-purpose.ts";
import { stepUpRecipient } from "./step-up-viewer.ts";

const tenantWith = (buyer: string | null, owner: string | null) =>
  sampleTenant({
    requests: {
      find: async (id) => (id === "request" ? sampleRequest() : null),
      invitedEmailOf: async () => owner,
    },
    orders: { buyerOf: async () => ({ ...storeOrder().buyer, email: buyer }) },
    links: { recipientOf: (email) => Buffer.from(`hash of ${email}`) },
  });
const tenant = tenantWith("sam@example.com", "pat@example.com");

test("asks a guest for a code that goes to the buyer, a patient for one that goes to them", async () => {
  const guest = sampleGuest();
  expect(await stepUpRecipient(tenant, guest)).toEqual({
    link: guest.link,
    email: "sam@example.com",
    recipient: Buffer.from("hash of sam@example.com"),
  });
  expect((await stepUpRecipient(tenant, samplePatient()))?.email).toBe("pat@example.com");
});

test("asks no customer who is signed in, and nobody twice", async () => {
  expect(await stepUpRecipient(tenant, CUSTOMER)).toBeNull();
  expect(await stepUpRecipient(tenant, sampleGuest({ steppedUpAt: DAY }))).toBeNull();
});

test.each(LINK_PURPOSES)(
  "mails a code for a link for %s, which opens no more by it",
  async (purpose) => {
    const found = await stepUpRecipient(tenant, sampleGuest({ purpose }));
    expect(found?.link.purpose).toBe(purpose);
  },
);

test("refuses a link whose request or address is gone", async () => {
  const lost = sampleGuest({ requestId: "unknown" });
  await expect(stepUpRecipient(tenant, lost)).rejects.toThrow(LinkRefused);
  const nowhere = tenantWith(null, null);
  for (const viewer of [sampleGuest(), samplePatient()])
    await expect(stepUpRecipient(nowhere, viewer)).rejects.toMatchObject({ code: "other_purpose" });
});
