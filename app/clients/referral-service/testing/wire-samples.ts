import type { ReferralOrder } from "../../../modules/referrals/referral-service.ts";

/** Ids of the samples, for whoever asks for them. */
export const REFERRAL_UUID = "0b9d7a86-5c1e-4c5e-9f0c-1f8f3c1d2a01";
export const RESULT_UUID = "7d2f1c34-8a0b-4d3e-b1a2-9c8d7e6f5a02";

/** A referral as the service sends it (interface §2.1), complete. */
export function wireReferral(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    uuid: REFERRAL_UUID,
    status: "CREATED",
    object: "referral",
    tests: ["fbc"],
    metadata: { requestId: "r-1" },
    productId: null,
    productName: null,
    origin: "STORE_INTEGRATION",
    person: {
      firstName: "Ada",
      lastName: "Citizen",
      email: "ada@example.com",
      phone: "0400000000",
      dob: "1990-01-02",
      gender: "female",
      address: {
        addressLine1: "1 High St",
        addressLine2: null,
        postCode: "3000",
        city: "Melbourne",
        country: "AU",
        state: "VIC",
      },
    },
    referralType: "blood",
    reference: "12345678",
    referenceNumber: "PW-1",
    referralAttachment: null,
    emailSentAt: null,
    createdAt: "2026-11-20T00:00:00.000Z",
    updatedAt: "2026-11-20T00:00:00.000Z",
    deletedAt: null,
    resultsUuid: null,
    medicare: false,
    orderingPractitioner: null,
    medicareCardNumber: null,
    dvaNumber: null,
    orderingPractitionerClinicalNotes: null,
    routingMessage: null,
    ...fields,
  };
}

/** A result as the service sends it (interface §2.2). */
export function wireResult(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    uuid: RESULT_UUID,
    referralUuid: REFERRAL_UUID,
    status: "COMPLETE",
    object: "result",
    reference: "12345678",
    referenceNumber: "PW-1",
    createdAt: "2026-11-21T00:00:00.000Z",
    updatedAt: "2026-11-21T00:00:00.000Z",
    reviewedBy: null,
    biomarkers: [wireBiomarker()],
    ...fields,
  };
}

/** A biomarker as the service sends it (interface §2.3), without what may be left out. */
export function wireBiomarker(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: "ferritin",
    object: "biomarker",
    name: "Ferritin",
    commonName: "Iron stores",
    description: "",
    value: "40",
    valueType: "numeric",
    unit: "ug/L",
    formattedValue: "40 ug/L",
    isAbnormal: false,
    category: { id: "iron", name: "Iron", description: "", object: "biomarker-category" },
    refIntervalLow: 30,
    refIntervalHigh: 200,
    ...fields,
  };
}

/** A plain order of one test. */
export function sampleOrder(items: Partial<ReferralOrder["items"]> = {}): ReferralOrder {
  return {
    patient: {
      firstName: "Ada",
      lastName: "Citizen",
      email: "ada@example.com",
      phone: "0400000000",
      dob: "1990-01-02",
      gender: "female",
      address: {
        addressLine1: "1 High St",
        addressLine2: null,
        city: "Melbourne",
        state: "VIC",
        postCode: "3000",
        country: "AU",
      },
    },
    items: { bundleId: null, tests: ["fbc"], medicareTests: [], practitioner: null, ...items },
    medicare: { medicareCardNumber: "2123456701", dvaNumber: null },
    clinicalNotes: null,
    referenceNumber: "PW-1",
    metadata: { requestId: "r-1" },
    emailReferralToCustomer: false,
  };
}
