import { describe, expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../test/samples/facts.ts";
import { CUSTOMER, sampleGuest, samplePatient } from "../../../test/samples/viewers.ts";
import { gid } from "../kernel/ids.ts";
import { REQUEST_STATES } from "../referrals/request.ts";
import {
  accessOf,
  accessTo,
  accessToRecord,
  isLinkAnswered,
  LinkRefused,
  requireAccess,
} from "./link-access.ts";
import { LINK_PURPOSES, type LinkPurpose, OPENED_BY, type Opening } from "./link-purpose.ts";

const OPENINGS = ["details", "form", "results"] as const;
const ready = sampleRequest({ state: "ready" });
const created = sampleRequest({ state: "created" });
const steppedUpAt = DAY;

/** The parts of its unit that a link opens, once its session has shown the mailed code. */
const OPENED: Record<LinkPurpose, readonly Opening[]> = {
  details: ["details"],
  invitation: ["details"],
  correction: ["details"],
  form: ["form"],
  results: ["form", "results"],
  status: [],
  stop: [],
};

describe.each(LINK_PURPOSES)("a link for %s", (purpose) => {
  test.each(OPENINGS)("opens %s only if it was mailed for it", (opening) => {
    const access = OPENED[purpose].includes(opening) ? "granted" : "other_purpose";
    for (const viewer of [
      sampleGuest({ purpose, steppedUpAt }),
      samplePatient({ purpose, steppedUpAt }),
    ])
      expect(accessOf(viewer, ready, opening)).toBe(access);
  });

  test("is for nothing else", () => {
    expect(OPENED_BY[purpose].toSorted()).toEqual(OPENED[purpose]);
  });

  test.each(OPENINGS)("opens no %s of another unit", (opening) => {
    for (const unit of [
      { lineItemId: gid("LineItem", 1), unit: 2 },
      { lineItemId: gid("LineItem", 2), unit: 1 },
    ]) {
      const link = { purpose, steppedUpAt, unit };
      expect(accessOf(samplePatient(link), ready, opening)).toBe("other_purpose");
      // A guest is asked for the details of the whole order.
      const isForOrder = purpose === "details" && opening === "details";
      expect(accessOf(sampleGuest(link), ready, opening)).toBe(
        isForOrder ? "granted" : "other_purpose",
      );
    }
  });
});

test.each(REQUEST_STATES)("asks for details until the referral is ordered: %s", (state) => {
  const isOpen = ["awaiting_details", "ready", "held", "rejected"].includes(state);
  const access = isOpen ? "granted" : "other_purpose";
  const request = sampleRequest({ state });
  expect(accessOf(sampleGuest({ purpose: "details" }), request, "details")).toBe(access);
  expect(accessOf(samplePatient({ purpose: "invitation" }), request, "details")).toBe(access);
  expect(accessOf(sampleGuest({ purpose: "correction" }), request, "details")).toBe("granted");
});

test("opens results, and the form with them, once the mailed code was shown", () => {
  for (const opening of ["results", "form"] as const) {
    expect(accessOf(sampleGuest(), created, opening)).toBe("step_up_required");
    expect(accessOf(samplePatient(), created, opening)).toBe("step_up_required");
    expect(accessOf(sampleGuest({ steppedUpAt }), created, opening)).toBe("granted");
  }
});

test("asks for no code where a link opens nothing", () => {
  expect(accessOf(sampleGuest(), created, "details")).toBe("other_purpose");
  expect(accessOf(sampleGuest({ purpose: "form" }), created, "form")).toBe("granted");
});

test("opens everything for a customer who is signed in", () => {
  expect(accessTo(CUSTOMER, created)).toEqual({
    details: "granted",
    form: "granted",
    results: "granted",
  });
});

test("says of each part of a unit whether it opens", () => {
  expect(accessTo(sampleGuest(), created)).toEqual({
    details: "other_purpose",
    form: "step_up_required",
    results: "step_up_required",
  });
  expect(accessTo(sampleGuest({ purpose: "details" }), ready)).toEqual({
    details: "granted",
    form: "other_purpose",
    results: "other_purpose",
  });
});

test("throws why, and that trying again does not help, unless access is granted", () => {
  expect(() => requireAccess(CUSTOMER, created, "results")).not.toThrow();
  for (const [opening, code] of [
    ["results", "step_up_required"],
    ["details", "other_purpose"],
  ] as const) {
    const refused = () => requireAccess(sampleGuest(), created, opening);
    expect(refused).toThrow(LinkRefused);
    expect(refused).toThrow(
      expect.objectContaining({ name: "LinkRefused", message: code, code, retryable: false }),
    );
  }
});

test("opens all that is held of a unit only once the mailed code was shown, whatever the link was for", () => {
  for (const purpose of LINK_PURPOSES)
    for (const viewer of [sampleGuest, samplePatient]) {
      expect(accessToRecord(viewer({ purpose }), created)).toBe("step_up_required");
      expect(accessToRecord(viewer({ purpose, steppedUpAt }), created)).toBe("granted");
    }
  expect(accessToRecord(CUSTOMER, created)).toBe("granted");
});

test("opens nothing that is held of another unit", () => {
  const unit = { lineItemId: gid("LineItem", 1), unit: 2 };
  for (const viewer of [sampleGuest({ unit, steppedUpAt }), samplePatient({ unit, steppedUpAt })])
    expect(accessToRecord(viewer, created)).toBe("other_purpose");
});

test("takes no link for answered of somebody who needs none", () => {
  for (const request of [ready, created]) expect(isLinkAnswered(CUSTOMER, request)).toBe(false);
  expect(isLinkAnswered(sampleGuest({ purpose: "details" }), created)).toBe(true);
  expect(isLinkAnswered(sampleGuest({ purpose: "details" }), ready)).toBe(false);
  expect(isLinkAnswered(sampleGuest({ purpose: "correction" }), created)).toBe(false);
});
