import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../catalogue/catalogue.ts";
import {
  type CallOptions,
  createReferral,
  getReferral,
  type Harness,
  issuedReferral,
  order,
  patient,
  reach,
  startHarness,
} from "../testing/harness.ts";
import { apiError } from "../wire/common.ts";
import { referral } from "../wire/referral-wire.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const bundle = [...loadCatalogue().bundles.values()].find((entry) =>
  entry.tests.every((id) => loadCatalogue().tests.get(id)?.type === "blood"),
);
if (!bundle) throw new Error("no bundle of blood tests");

async function refusal(body: unknown, options: CallOptions = {}) {
  const reply = await harness.call("POST", "/v1/referrals", { ...options, body });
  expect(reply.status).toBe(400);
  return apiError.parse(reply.body);
}

describe("the answer to create", () => {
  test("has every field of 2.1, null where nothing is known", async () => {
    const created = await createReferral(harness, { metadata: { orderId: "7", deep: { a: [1] } } });
    expect(created).toMatchObject({
      status: "CREATED",
      object: "referral",
      tests: ["full-blood-count"],
      metadata: { orderId: "7", deep: { a: [1] } },
      productId: null,
      productName: null,
      origin: "STORE_INTEGRATION",
      person: patient,
      referralType: "blood",
      referenceNumber: "ORDER-1",
      referralAttachment: null,
      emailSentAt: null,
      deletedAt: null,
      resultsUuid: null,
      medicare: false,
      orderingPractitioner: null,
      medicareCardNumber: null,
      dvaNumber: null,
      orderingPractitionerClinicalNotes: null,
      routingMessage: null,
    });
    expect(Object.keys(created).sort()).toEqual(Object.keys(referral.shape).sort());
  });

  test("becomes ISSUED with a form and an email", async () => {
    const created = await createReferral(harness);
    const issued = await issuedReferral(harness);
    expect(issued.referralAttachment).not.toBeNull();
    expect(issued.emailSentAt).not.toBeNull();
    expect(issued.updatedAt > issued.createdAt).toBe(true);
    expect(issued.reference).not.toBe(created.reference);
  });

  test("without metadata and referenceNumber says null and an empty text", async () => {
    const created = await createReferral(harness, { referenceNumber: undefined });
    expect(created).toMatchObject({ metadata: null, referenceNumber: "" });
  });

  test("ignores the caller's reference and assigns 8 digits of its own", async () => {
    const created = await createReferral(harness, { reference: "12345678" });
    expect(created.reference).toMatch(/^\d{8}$/);
    expect(created.reference).not.toBe("12345678");
  });

  test("has origin API for a plain credential", async () => {
    const { client } = await harness.newOrganisation();
    expect((await createReferral(client)).origin).toBe("API");
  });

  test("sends no email when emailReferralToCustomer is false", async () => {
    const issued = await issuedReferral(harness, { emailReferralToCustomer: false });
    expect(issued.emailSentAt).toBeNull();
    const mails = await harness.console("GET", "/mails");
    expect(JSON.stringify(mails.body)).not.toContain(issued.uuid);
  });

  test("accepts an address without addressLine2 and keeps it as null", async () => {
    const { addressLine2: _second, ...address } = patient.address;
    const created = await createReferral(harness, { address });
    expect(created.person.address.addressLine2).toBeNull();
  });
});

describe("tests and bundles", () => {
  test("rule 1: something has to be ordered, on both versions", async () => {
    for (const version of ["1.0.0", "1.1.0"] as const) {
      expect((await refusal(patient, { version })).code).toBe("INVALID_PAYLOAD");
      expect((await refusal({ ...patient, tests: [] }, { version })).code).toBe("INVALID_PAYLOAD");
    }
  });

  test("rules 2 and 10: tests are taken as they are, without duplicates", async () => {
    const tests = ["lipid-studies", "full-blood-count", "lipid-studies"];
    const created = await createReferral(harness, { tests });
    expect(created.tests).toEqual(["lipid-studies", "full-blood-count"]);
  });

  test("rule 3: a bundle brings its tests and its name", async () => {
    const created = await createReferral(harness, { tests: undefined, bundleId: bundle.id });
    expect(created).toMatchObject({
      tests: bundle.tests,
      productId: bundle.id,
      productName: bundle.name,
    });
  });

  test("rule 4: bundle and tests add up without duplicates", async () => {
    const tests = [bundle.tests[0], "vitamin-c", "vitamin-c"];
    const created = await createReferral(harness, { tests, bundleId: bundle.id });
    expect(created.tests).toEqual([...bundle.tests, "vitamin-c"]);
    expect(created.productId).toBe(bundle.id);
  });

  test("rule 5: bundleId on 1.0.0 tells how to upgrade", async () => {
    const { message } = await refusal({ ...patient, bundleId: bundle.id }, { version: "1.0.0" });
    expect(message).toContain("v1.1.0");
  });

  test("rule 6: medicareTests on 1.0.0 tells how to upgrade", async () => {
    const body = { ...order, medicareTests: ["full-blood-count"] };
    expect((await refusal(body, { version: "1.0.0" })).message).toContain("v1.1.0");
  });

  test("unknown tests and bundles are named", async () => {
    const { errorList } = await refusal({ ...order, tests: ["full-blood-count", "phrenology"] });
    expect(errorList).toEqual(["tests: unknown test phrenology"]);
    await refusal({ ...patient, bundleId: "6f1c2a10-0000-4a55-9b1e-0a1d3c5b7e01" });
    await refusal({ ...patient, bundleId: "not-a-uuid" });
  });

  test("tests other than blood need 1.1.0 (section 9)", async () => {
    const body = { ...order, tests: ["urine-mcs"] };
    expect((await refusal(body, { version: "1.0.0" })).message).toContain("v1.1.0");
    const reply = await harness.call("POST", "/v1/referrals", { body });
    expect(referral.parse(reply.body).referralType).toBe("urine");
  });
});

describe("fields that are refused", () => {
  const wrong: [string, Record<string, unknown>][] = [
    ["firstName", { firstName: undefined }],
    ["firstName", { firstName: "  " }],
    ["lastName", { lastName: 7 }],
    ["email", { email: "nobody" }],
    ["email", { email: null }],
    ["address", { address: "1 Street" }],
    ["address.postCode", { address: { ...patient.address, postCode: 2000 } }],
    ["address.addressLine1", { address: { ...patient.address, addressLine1: undefined } }],
    ["dob", { dob: "03/02/1990" }],
    ["dob", { dob: "1990-02-30" }],
    ["dob", { dob: "2999-01-01" }],
    ["gender", { gender: "other" }],
    ["phone", { phone: 400 }],
    ["tests", { tests: "full-blood-count" }],
    ["tests.0", { tests: [1] }],
    ["metadata", { metadata: ["a"] }],
    ["metadata", { metadata: "a" }],
    ["referenceNumber", { referenceNumber: 12 }],
    ["emailReferralToCustomer", { emailReferralToCustomer: "no" }],
    ["clinicalNotes", { clinicalNotes: {} }],
    ["dvaNumber", { dvaNumber: 5 }],
  ];
  test.each(wrong)("%s in %j", async (field, change) => {
    const { code, errorList } = await refusal({ ...order, ...change });
    expect(code).toBe("INVALID_PAYLOAD");
    expect(errorList.some((entry) => entry.startsWith(`${field}:`))).toBe(true);
  });

  test("nothing is stored by a refused create", async () => {
    await refusal({ ...order, referenceNumber: "REFUSED-1", gender: "other" });
    const { body } = await harness.console("GET", "/stats");
    expect(JSON.stringify(body)).not.toContain("REFUSED-1");
  });
});

describe("billing (section 3)", () => {
  test.each(["declined", "none"])("%s ends in BILLING_FAILED without a form", async (billing) => {
    const { token, client } = await harness.newOrganisation();
    await harness.console("PATCH", "/organisation", { billing }, token);
    const created = await createReferral(client);
    const failed = await reach(client, created.uuid, "BILLING_FAILED");
    expect(failed).toMatchObject({ referralAttachment: null, emailSentAt: null });
    await harness.console("PATCH", "/organisation", { billing: "valid" }, token);
    await issuedReferral(client);
    expect((await getReferral(client, created.uuid)).status).toBe("BILLING_FAILED");
  });
});
