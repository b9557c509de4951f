import { isDeepStrictEqual } from "node:util";
import { crashPoint } from "../../platform/crash-points.ts";
import { together } from "../../platform/together.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { hasAgreed, noticeFaults, recordConsent } from "../patients/consent.ts";
import {
  type FieldError,
  inReadingOrder,
  readPatientDetails,
} from "../patients/patient-details.ts";
import { apply } from "../referrals/apply.ts";
import { correctPatientDetails } from "../referrals/correct-patient-details.ts";
import { confirmGiven, recordUnderAge } from "../referrals/record-under-age.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { tellPatient } from "../referrals/tell-patient.ts";
import type { Shop } from "../shops/shop.ts";
import { findOwnedForUpdate } from "./find-owned.ts";
import { isLinkAnswered } from "./link-access.ts";
import { logAccess, visitOf } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, type Viewer } from "./viewer.ts";

export type SaveDetailsOutcome =
  | { kind: "saved"; requestId: string }
  | { kind: "invalid"; errors: FieldError[] }
  /** No such request in this owner's hands. */
  | { kind: "not_found" }
  /** Details are with the service already, or being sent. */
  | { kind: "too_late" };

/**
 * Takes the patient's details for one request from whoever holds it and sends the request on its way. Details and the job that
 * sends them are committed together. A second, different saving before the first is sent replaces it, the same saving again
 * changes nothing. Once the referral exists, they are a correction (`correctPatientDetails`). Throws `LinkRefused` when the
 * viewer's link was mailed for something else.
 */
export async function savePatientDetails(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  input: { shop: ShopDomain; viewer: Viewer; requestId: string; details: unknown },
): Promise<SaveDetailsOutcome> {
  const { shop, viewer, requestId } = input;
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<SaveDetailsOutcome> => {
    // Locked from here on: whoever asks for it below is given what is known.
    const [settings] = await together(
      () => tenant.shops.find(),
      () => tenant.requests.findForUpdate(requestId),
    );
    if (!settings?.installed) return { kind: "not_found" };
    const now = clock.now();
    const { minimumAge } = settings;
    if (await isGivenAgain(tenant, { ...input, minimumAge, now })) {
      await confirmGiven(tenant, requestId, now);
      return { kind: "saved", requestId };
    }
    const request = await findOwnedForUpdate(tenant, { viewer, requestId, opening: "details" });
    if (!request) return { kind: "not_found" };
    if (request.state === "created") {
      const correction = await correctPatientDetails(tenant, {
        request,
        details: input.details,
        rules: { minimumAge, today: now },
        otherFaults: noticeFaults(tenant, { request, settings }, input.details),
      });
      if (correction.kind === "saved") {
        await tenant.drafts.remove(requestId);
        await recordSaving(tenant, { viewer, request, settings, now });
      }
      return correction;
    }
    const reading = readPatientDetails(input.details, {
      minimumAge,
      needsMedicare: request.items.medicareTests.length > 0,
      today: now,
    });
    const changed = noticeFaults(tenant, { request, settings }, input.details);
    if (reading.kind === "invalid") {
      if (reading.isUnderAge) await recordUnderAge(tenant, requestId, now);
      return { kind: "invalid", errors: inReadingOrder([...changed, ...reading.errors]) };
    }
    if (changed.length > 0) return { kind: "invalid", errors: changed };

    const { patient, medicare } = reading;
    // Pressed twice, or pressed again because the answer never came: the first one counts, and there is no news.
    const before = await tenant.requests.patientOf(requestId);
    if (isUnderWay(request) && before && isDeepStrictEqual(before, { patient, medicare })) {
      if (!(await hasAgreed(tenant, { request, settings })))
        await recordSaving(tenant, { viewer, request, settings, now });
      await confirmGiven(tenant, requestId, now);
      return { kind: "saved", requestId };
    }
    const event = { kind: "details_given", isHeldByShop: settings.holdOrders } as const;
    const given = { actor: "shopper", at: now, patient: { patient, medicare } } as const;
    if (!(await apply(tenant, requestId, event, given))) return { kind: "too_late" };
    await tenant.drafts.remove(requestId);
    await recordSaving(tenant, { viewer, request, settings, now });
    await tellPatient(tenant, request, { patient, before: before?.patient ?? null, now });
    crashPoint("details.before-commit");
    return { kind: "saved", requestId };
  });
  if (outcome.kind === "saved") crashPoint("details.after-commit");
  return outcome;
}

/**
 * Whether a link's holder sends once more what the test was ordered with. The first sending ended the link, maybe before its
 * answer came, and they are told the same as then. Whoever knows less than all of it learns nothing.
 */
async function isGivenAgain(
  tenant: Tenant,
  given: { viewer: Viewer; requestId: string; details: unknown; minimumAge: number; now: Date },
): Promise<boolean> {
  const { viewer, requestId, details, minimumAge, now } = given;
  const request = await tenant.requests.findForUpdate(requestId);
  if (!request || !isOwner(request, viewer) || !isLinkAnswered(viewer, request)) return false;
  const needsMedicare = request.items.medicareTests.length > 0;
  const reading = readPatientDetails(details, { minimumAge, needsMedicare, today: now });
  if (reading.kind === "invalid") return false;
  const { patient, medicare } = reading;
  return isDeepStrictEqual(await tenant.requests.patientOf(requestId), { patient, medicare });
}

/** Whether given details are on their way to the service, and nothing has come back. */
const isUnderWay = ({ state }: ReferralRequest): boolean =>
  state === "ready" || state === "held" || state === "sending" || state === "ambiguous";

async function recordSaving(
  tenant: Tenant,
  {
    viewer,
    request,
    settings,
    now,
  }: { viewer: Viewer; request: ReferralRequest; settings: Shop; now: Date },
): Promise<void> {
  await recordConsent(tenant, { request, settings, at: now });
  const { subjectId } = visitOf(viewer);
  const deed = { what: "details_saved", requestId: request.id, at: now } as const;
  await logAccess(tenant, viewer, subjectId ? { ...deed, subjectId } : deed);
}
