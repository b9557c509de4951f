import { gidNumber, type OrderId } from "../../modules/kernel/ids.ts";
import type { ErasureEffect } from "../../modules/privacy/data-version.ts";
import type { PatientTest, readPatientTests } from "../../modules/privacy/read-patient-tests.ts";

type Found = NonNullable<Awaited<ReturnType<typeof readPatientTests>>>;

/** What deleting a test's data does, for the member of staff who is asked to. */
const EFFECTS: Record<ErasureEffect, string> = {
  not_sent: "The test isn’t ordered yet: it’s cancelled, and a refund may be due.",
  deletable:
    "Its referral is deleted at the service, and the form stops working. A refund may be due. If a sample has been taken, tell the patient to ask the laboratory for the results.",
  unsettled: "It’s being ordered at this moment: it’s cancelled and deleted as soon as that ends.",
  has_results: "Results, form and details are deleted. Nobody can open them any more.",
  unseen_results:
    "Results, form and details are deleted. A result has come that the patient wasn’t shown yet, and nobody can read it any more: have it reviewed and released first, or make sure that the patient knows.",
  nothing: "The test is cancelled. What is still kept about the patient is deleted.",
};

/** The tests of an order in words. They say which test it is, never whose. */
export const presentPrivacy = ({ orderName, tests }: Found, orderId: OrderId) => ({
  back: { content: `Order ${orderName}`, url: `/app/orders/${gidNumber(orderId)}` },
  subtitle: `Order ${orderName}`,
  tests: tests.map((test) => ({
    id: test.id,
    name: nameOf(test),
    owner:
      test.owner === "patient"
        ? "The patient holds it. The buyer sees nothing of it."
        : "The buyer gave the details, and sees form and results.",
    visits:
      test.owner === "patient"
        ? "Everybody who opened one of the patient’s emailed links is signed out, on all devices."
        : "Everybody who opened one of the buyer’s emailed links to this order is signed out, on all devices. The customer account is Shopify’s, and stays signed in.",
    hasDetails: test.hasDetails,
    version: test.version,
    effect: EFFECTS[test.effect],
  })),
});

const nameOf = ({ title, unit }: PatientTest): string =>
  unit.of > 1 ? `${title}, test ${unit.number} of ${unit.of}` : title;
