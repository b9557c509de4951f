import { randomUUID } from "node:crypto";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Core } from "../core.ts";
import { invalidPayload } from "../http/api-error.ts";
import { type ApiVersion, upgradeAdvice } from "../http/api-version.ts";
import { readMedicareOrder } from "../medicare/medicare-order.ts";
import type { CredentialOrigin } from "../organisations/credential-store.ts";
import type { Organisation } from "../organisations/organisation.ts";
import { type CreateRequest, createRequest, parsePayload } from "./create-request.ts";
import { referenceOf } from "./reference.ts";
import type { Person, Referral, ReferralDocument } from "./referral.ts";

/** The one who orders, and how. */
export interface OrderContext {
  organisation: Organisation;
  origin: CredentialOrigin;
  version: ApiVersion;
}

/** An order that has passed every rule; storing it cannot fail for a reason of the caller's. */
export interface AcceptedOrder {
  documents: Omit<ReferralDocument, "reference">[];
  referenceNumber: string;
  emailReferralToCustomer: boolean;
  organisation: Organisation;
}

function personOf(request: CreateRequest): Person {
  const { firstName, lastName, email, address, phone, dob, gender } = request;
  return { firstName, lastName, email, address, phone, dob, gender };
}

function refuseNewerFields(body: unknown, version: ApiVersion): void {
  if (version !== "1.0.0" || typeof body !== "object" || body === null) return;
  for (const field of ["bundleId", "medicareTests"] as const) {
    if (field in body && Reflect.get(body, field) != null) {
      throw invalidPayload(upgradeAdvice(field), [`${field}: not available in version 1.0.0`]);
    }
  }
}

/** The distinct tests of bundle and list, in that order (interface §4.2 rules 2 to 4). */
function resolveTests(catalogue: Catalogue, request: CreateRequest, version: ApiVersion) {
  const bundle = request.bundleId ? catalogue.bundles.get(request.bundleId.toLowerCase()) : null;
  if (bundle === undefined) {
    throw invalidPayload("bundleId names no bundle", ["bundleId: unknown bundle"]);
  }
  const tests = [...new Set([...(bundle?.tests ?? []), ...(request.tests ?? [])])];
  const unknown = tests.filter((id) => !catalogue.tests.has(id));
  if (unknown.length > 0) {
    throw invalidPayload("tests names a test that does not exist", [
      ...unknown.map((id) => `tests: unknown test ${id}`),
    ]);
  }
  const others = tests.filter((id) => catalogue.tests.get(id)?.type !== "blood");
  if (version === "1.0.0" && others.length > 0) {
    throw invalidPayload(upgradeAdvice("A test that is not a blood test"), [
      ...others.map((id) => `tests: ${id} is not available in version 1.0.0`),
    ]);
  }
  return { tests, bundle };
}

/** `blood` as soon as blood is taken, otherwise the kind of specimen (the full set is not shown). */
function referralTypeOf(catalogue: Catalogue, tests: string[]): string {
  const types = tests.map((id) => catalogue.tests.get(id)?.type ?? "blood");
  return types.includes("blood") ? "blood" : (types[0] ?? "blood");
}

/**
 * Checks a create request against all rules of interface §4.2.
 *
 * Throws ApiError 400 with the codes of §7.3; nothing has been stored then.
 */
export function acceptOrder(core: Core, context: OrderContext, body: unknown): AcceptedOrder {
  const { catalogue, stores } = core;
  const { organisation, origin, version } = context;
  refuseNewerFields(body, version);
  const request = parsePayload(createRequest, body);
  const { tests, bundle } = resolveTests(catalogue, request, version);
  const medicareTests = [...new Set(request.medicareTests ?? [])];
  if (tests.length === 0 && medicareTests.length === 0) {
    throw invalidPayload("At least one of tests, bundleId and medicareTests is required");
  }
  const shared = { metadata: request.metadata ?? null, origin, person: personOf(request) };
  const documents: AcceptedOrder["documents"] = [];
  if (tests.length > 0) {
    documents.push({
      ...shared,
      tests,
      productId: bundle?.id ?? null,
      productName: bundle?.name ?? null,
      referralType: referralTypeOf(catalogue, tests),
      medicare: null,
    });
  }
  if (medicareTests.length > 0) {
    const { providerNumbers } = stores;
    documents.push({
      ...shared,
      tests: medicareTests,
      productId: null,
      productName: null,
      referralType: "blood",
      medicare: readMedicareOrder({ catalogue, providerNumbers }, organisation, request),
    });
  }
  return {
    documents,
    referenceNumber: request.referenceNumber ?? "",
    emailReferralToCustomer: request.emailReferralToCustomer ?? true,
    organisation,
  };
}

/** Stores all referrals of an order in one transaction, with their events. */
export function storeOrder(core: Core, order: AcceptedOrder): Referral[] {
  const { stores, clock, events } = core;
  const { organisation } = order;
  const emailGroup = order.emailReferralToCustomer ? randomUUID() : null;
  return stores.database.transaction(() =>
    order.documents.map((document) => {
      const seq = stores.referrals.nextSeq();
      const nowMs = clock.nowMs();
      const referral: Referral = {
        seq,
        uuid: randomUUID(),
        organisationId: organisation.id,
        status: organisation.requirePatientVerification ? "PENDING_VERIFICATION" : "CREATED",
        referenceNumber: order.referenceNumber,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        deletedAtMs: null,
        emailSentAtMs: null,
        emailGroup,
        issueNumber: 0,
        resultsUuid: null,
        document: { ...document, reference: referenceOf(seq) },
      };
      stores.referrals.insert(referral);
      const announce = (type: "referral.created" | "referral.pending_verification") =>
        events.emit({ organisationId: organisation.id, type, referralUuid: referral.uuid });
      announce("referral.created");
      if (referral.status === "PENDING_VERIFICATION") announce("referral.pending_verification");
      return referral;
    }),
  );
}
