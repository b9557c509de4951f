import { calendarDay, TIME_ZONE } from "../../platform/calendar-day.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Patient } from "../patients/patient.ts";
import { fullName } from "../patients/person-name.ts";
import { type HoldSteps, heldTests, holdStepsOf } from "../referrals/held-tests.ts";
import { type Contact, contactsOf } from "../referrals/record-contact.ts";
import { numberUnits, type UnitNumber } from "../referrals/unit-number.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { reportsForStaff } from "./open-staff-report.ts";
import type { Ports } from "./ports.ts";

/** More wait in no shop that reads them; the longest held come first. */
const MAX_HELD = 200;
/** Each shown test is a look at a patient's name. */
const MAX_SHOWN = 25;

/** A test whose results wait for the reviewer. */
export interface Review extends HoldSteps {
  requestId: string;
  orderId: OrderId;
  orderName: string;
  title: string;
  unit: UnitNumber;
  /** How many of its results are held. */
  held: number;
  /** The laboratory's reports of them that are here. */
  reports: string[];
  isUrgent: boolean;
  isSensitive: boolean;
  /** Null once the details are destroyed. Age in whole years; null when no date of birth is known. */
  patient: { name: string; age: number | null } | null;
  /** Who was reached about it, or that nobody was; oldest first. */
  contacts: Contact[];
}

export interface Reviews {
  kind: "shown";
  reviews: Review[];
  /** How many more tests wait than are shown. */
  more: number;
  /** The names of staff, by how the timeline names them. */
  staffNames: ReadonlyMap<string, string>;
}

/**
 * All held results of the shop, for whoever may release them: critical ones first, then by how long they wait. The
 * patient's name and age are shown, which is a line of the access log for each.
 */
export async function readReviews(
  { tenancy, clock, waits }: Pick<Ports, "tenancy" | "clock" | "waits">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
): Promise<Reviews | NotAllowed> {
  return tenancy.inShop(shop, async (tenant) => {
    const now = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "release_results", { at: now });
    if (refused) return refused;
    const settings = await tenant.shops.find();
    const held = await heldTests(tenant, MAX_HELD);
    const shown = held.slice(0, MAX_SHOWN);
    const ids = shown.map(({ request }) => request.id);
    const orderIds = [...new Set(shown.map(({ request }) => request.orderId))];
    const names = await tenant.orders.namesOf(orderIds);
    const numberOf = numberUnits(await tenant.requests.unitsOf(orderIds));
    const patients = await tenant.requests.patientsOf(ids);
    const seen = { at: now, who: "staff", actor, what: "details_viewed" } as const;
    await tenant.accessLog.add(
      ...ids.filter((id) => patients.has(id)).map((requestId) => ({ ...seen, requestId })),
    );
    const today = calendarDay(now, settings?.timeZone ?? TIME_ZONE);
    const reviews: Review[] = [];
    for (const one of shown) {
      const { id, orderId, title } = one.request;
      const patient = patients.get(id)?.patient;
      const waiting = new Set(one.results.map(({ uuid }) => uuid));
      const reports = await reportsForStaff(tenant, one.request);
      reviews.push({
        ...{ requestId: id, orderId, orderName: names.get(orderId) ?? "", title },
        unit: numberOf(one.request),
        ...{ isUrgent: one.isUrgent, isSensitive: one.isSensitive, held: one.results.length },
        ...holdStepsOf(one, { settings, hourMs: waits.escalationHourMs }),
        reports: reports.filter(({ sourceUuid }) => waiting.has(sourceUuid)).map((pdf) => pdf.id),
        patient: patient ? { name: fullName(patient), age: ageOf(patient, today) } : null,
        contacts: contactsOf(id, await tenant.timeline.forOrder(orderId)),
      });
    }
    const staff = await tenant.staff.list(MAX_HELD);
    return {
      kind: "shown",
      reviews,
      more: held.length - shown.length,
      staffNames: new Map(staff.map(({ staff: id, name }) => [id, name])),
    };
  });
}

/** Whole years on a day; null without a date of birth. */
function ageOf({ dob }: Patient, today: string): number | null {
  if (!dob) return null;
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4));
  return today.slice(5) < dob.slice(5) ? years - 1 : years;
}
