import type { ReferralOrder } from "../../modules/referrals/referral-service.ts";

/**
 * Body of POST /v1/referrals (interface §4.2). Empty lists and absent values are left out: rule 1 and rule 7
 * speak of presence, and an empty `medicareTests` must not make a Medicare order.
 */
export function createBody(order: ReferralOrder): Record<string, unknown> {
  const { patient, items, medicare } = order;
  const { addressLine2, ...address } = patient.address;
  return {
    firstName: patient.firstName,
    lastName: patient.lastName,
    email: patient.email,
    phone: patient.phone,
    dob: patient.dob,
    gender: patient.gender,
    address: { ...address, ...(addressLine2 ? { addressLine2 } : {}) },
    ...(items.bundleId === null ? {} : { bundleId: items.bundleId }),
    ...(items.tests.length === 0 ? {} : { tests: items.tests }),
    ...(items.medicareTests.length === 0
      ? {}
      : {
          medicareTests: items.medicareTests,
          ...(items.practitioner === null ? {} : { orderingPractitioner: items.practitioner }),
          ...(medicare === null ? {} : { medicareCardNumber: medicare.medicareCardNumber }),
          ...(medicare?.dvaNumber ? { dvaNumber: medicare.dvaNumber } : {}),
          ...(order.clinicalNotes ? { clinicalNotes: order.clinicalNotes } : {}),
        }),
    metadata: order.metadata,
    referenceNumber: order.referenceNumber,
    emailReferralToCustomer: order.emailReferralToCustomer,
  };
}
