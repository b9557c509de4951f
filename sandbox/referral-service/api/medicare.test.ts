import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import {
  getReferral,
  type Harness,
  order,
  patient,
  reach,
  startHarness,
} from "../testing/harness.ts";
import { apiError } from "../wire/common.ts";
import { mailList } from "../wire/console-wire.ts";
import { referral } from "../wire/referral-wire.ts";

const providerNumber = "2426621B";
const practitioner = { name: "Dr Alex Morgan", address: "12 Clinic Road, Sydney", providerNumber };
const medicare = {
  ...patient,
  referenceNumber: "MED-1",
  medicareTests: ["full-blood-count", "iron-studies"],
  orderingPractitioner: practitioner,
  medicareCardNumber: "21234567011",
  dvaNumber: "NX123456",
  clinicalNotes: "Tiredness for three months",
};

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await harness.console("POST", "/provider-numbers", {
    providerNumber,
    name: practitioner.name,
    address: practitioner.address,
    signature: true,
  });
});
afterAll(() => harness.stop());

async function create(change: Record<string, unknown> = {}) {
  const reply = await harness.call("POST", "/v1/referrals", { body: { ...medicare, ...change } });
  expect(reply.status).toBe(200);
  return z.array(referral).parse(reply.body);
}

async function refusal(change: Record<string, unknown>) {
  const reply = await harness.call("POST", "/v1/referrals", { body: { ...medicare, ...change } });
  expect(reply.status).toBe(400);
  return apiError.parse(reply.body).code;
}

test("rule 7: medicareTests alone create only the Medicare referral, in an array", async () => {
  const [only, ...others] = await create();
  expect(others).toEqual([]);
  expect(only).toMatchObject({
    medicare: true,
    tests: medicare.medicareTests,
    productId: null,
    orderingPractitioner: practitioner,
    medicareCardNumber: "21234567011",
    dvaNumber: "NX123456",
    orderingPractitionerClinicalNotes: "Tiredness for three months",
    referenceNumber: "MED-1",
  });
});

test("rule 7: with tests there are two referrals, commercial first, and one email with both", async () => {
  const [commercial, claimed] = await create({ tests: ["vitamin-d"], metadata: { k: 1 } });
  if (!commercial || !claimed) throw new Error("two referrals were expected");
  expect(commercial).toMatchObject({
    medicare: false,
    tests: ["vitamin-d"],
    orderingPractitioner: null,
    medicareCardNumber: null,
    dvaNumber: null,
    orderingPractitionerClinicalNotes: null,
    routingMessage: null,
    metadata: { k: 1 },
  });
  expect(claimed).toMatchObject({ medicare: true, metadata: { k: 1 } });
  const bothIssued = () =>
    Promise.all([commercial, claimed].map(({ uuid }) => reach(harness, uuid, "ISSUED")));
  await bothIssued();
  // Read once more: the first one was seen before the mail, which waits for the second.
  const issued = await bothIssued();
  const mails = mailList.parse((await harness.console("GET", "/mails")).body);
  const both = mails.filter((mail) => mail.attachments.includes(commercial.uuid));
  expect(both.map((mail) => mail.attachments)).toEqual([[commercial.uuid, claimed.uuid]]);
  expect(issued[0]?.emailSentAt).toEqual(expect.any(String));
  expect(issued[0]?.emailSentAt).toBe(issued[1]?.emailSentAt);
});

test("rule 7: a bundle goes to the commercial referral", async () => {
  const [commercial, claimed] = await create({
    bundleId: "6f1c2a10-7d0e-4a55-9b1e-0a1d3c5b7e04",
  });
  expect(commercial?.productName).toBe("Thyroid check");
  expect(claimed?.productName).toBeNull();
});

test("rule 8: Medicare tests are not billed to the organisation", async () => {
  await harness.console("PATCH", "/organisation", { billing: "declined" });
  const [commercial, claimed] = await create({ tests: ["vitamin-d"] });
  await reach(harness, commercial?.uuid ?? "", "BILLING_FAILED");
  await reach(harness, claimed?.uuid ?? "", "ISSUED");
  await harness.console("PATCH", "/organisation", { billing: "valid" });
});

test("rule 10: the same test may be in both lists, duplicates within one are removed", async () => {
  const [commercial, claimed] = await create({
    tests: ["iron-studies", "iron-studies"],
    medicareTests: ["iron-studies", "iron-studies"],
  });
  expect(commercial?.tests).toEqual(["iron-studies"]);
  expect(claimed?.tests).toEqual(["iron-studies"]);
});

test("rule 11: routingMessage is advice on create only, with and without routing", async () => {
  const [without] = await create();
  expect(without?.routingMessage).toContain("not routed back");
  expect((await getReferral(harness, without?.uuid ?? "")).routingMessage).toBeNull();
  const registration = { ...practitioner, signature: true };
  await harness.console("POST", "/provider-numbers", { ...registration, routing: true });
  const [routed] = await create();
  expect(routed?.routingMessage).toContain("are routed back automatically");
  await harness.console("POST", "/provider-numbers", registration);
});

test("an order without medicareTests is answered with an object", async () => {
  const reply = await harness.call("POST", "/v1/referrals", { body: order });
  expect(Array.isArray(reply.body)).toBe(false);
});

test("MISSING_PROVIDER_NUMBER when orderingPractitioner is omitted", async () => {
  expect(await refusal({ orderingPractitioner: undefined })).toBe("MISSING_PROVIDER_NUMBER");
  expect(await refusal({ orderingPractitioner: null })).toBe("MISSING_PROVIDER_NUMBER");
  const { providerNumber: _number, ...rest } = practitioner;
  expect(await refusal({ orderingPractitioner: rest })).toBe("MISSING_PROVIDER_NUMBER");
});

test("orderingPractitioner needs all three fields", async () => {
  expect(await refusal({ orderingPractitioner: { ...practitioner, name: "" } })).toBe(
    "INVALID_PAYLOAD",
  );
  const { address: _address, ...rest } = practitioner;
  expect(await refusal({ orderingPractitioner: rest })).toBe("INVALID_PAYLOAD");
});

test.each([
  ["too short", "2426621"],
  ["a wrong check character", "2426621A"],
  ["a letter that no location has", "242662OB"],
  ["not registered here", "2426622L"],
  ["a number", 24_266_211],
])("INVALID_PROVIDER_NUMBER for %s", async (_why, number) => {
  const orderingPractitioner = { ...practitioner, providerNumber: number };
  expect(await refusal({ orderingPractitioner })).toBe("INVALID_PROVIDER_NUMBER");
});

test("INVALID_PROVIDER_NUMBER for one that only another organisation registered", async () => {
  const { client } = await harness.newOrganisation();
  const reply = await client.call("POST", "/v1/referrals", { body: medicare });
  expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_PROVIDER_NUMBER" } });
});

test("MISSING_PROVIDER_SIGNATURE until a signature is on file", async () => {
  const registration = { ...practitioner, providerNumber: "1234561B" };
  const orderingPractitioner = registration;
  const saved = await harness.console("POST", "/provider-numbers", registration);
  expect(saved.status).toBe(200);
  expect(await refusal({ orderingPractitioner })).toBe("MISSING_PROVIDER_SIGNATURE");
  await harness.console("POST", "/provider-numbers", { ...registration, signature: true });
  await create({ orderingPractitioner });
});

test("INVALID_MEDICARE_TEST for anything but blood tests", async () => {
  expect(await refusal({ medicareTests: ["urine-mcs"] })).toBe("INVALID_MEDICARE_TEST");
  expect(await refusal({ medicareTests: ["phrenology"] })).toBe("INVALID_MEDICARE_TEST");
});

test.each([undefined, null, "", "123", "2123456711", "21234567011x", 2_123_456_701, "9123456701"])(
  "INVALID_MEDICARE_NUMBER for %j",
  async (medicareCardNumber) => {
    expect(await refusal({ medicareCardNumber })).toBe("INVALID_MEDICARE_NUMBER");
  },
);

test("a card number without the IRN is accepted", async () => {
  const [only] = await create({ medicareCardNumber: "2123456701" });
  expect(only?.medicareCardNumber).toBe("2123456701");
});

test("nothing is stored when the Medicare half is refused", async () => {
  await refusal({ tests: ["vitamin-d"], medicareCardNumber: "1", referenceNumber: "HALF-1" });
  const { body } = await harness.console("GET", "/stats");
  expect(JSON.stringify(body)).not.toContain("HALF-1");
});
