import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Mapping } from "../catalogue/mapping.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import { orderMetadata } from "../referrals/create-referral.ts";
import { itemsOfCall } from "../referrals/items-to-order.ts";
import { RISK_REASONS } from "../referrals/order-risk.ts";
import { referenceNumber } from "../referrals/reference-number.ts";
import type { ReferralOrder } from "../referrals/referral-service.ts";
import { isUnsent, type ReferralRequest, type RequestState } from "../referrals/request.ts";
import { withResults } from "../referrals/with-results.ts";
import { ENVIRONMENTS, type Environment } from "../shops/connection.ts";
import type { MappingState, StoreOrder, StoreOrderLine } from "./order.ts";
import { wasDealtWithUnseen } from "./orders/dealt-with-unseen.ts";
import { environmentOf } from "./orders/environment-of.ts";
import { countForgotten } from "./orders/forgotten-units.ts";
import { isBackdated } from "./orders/is-backdated.ts";
import { mappingsOf, matchLines, withSoldVariants } from "./orders/match-lines.ts";
import { type LineToOpen, planOrder } from "./orders/plan-order.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

/** A create call as it would be made, but for the patient, whom nobody has named yet. */
export type PlannedOrder = Omit<ReferralOrder, "patient" | "medicare">;

/** One unit: a request that exists, or one that would be opened now. */
export interface DryUnit {
  unit: number;
  generation: number;
  /** State of the request that exists; null when it would be opened now. */
  state: RequestState | null;
  order: PlannedOrder;
}

export interface DryLine {
  title: string;
  sku: string | null;
  quantity: number;
  currentQuantity: number;
  mapping: MappingState;
  /** Ids that the mapping names and the catalogue lacks: the service would refuse them. */
  missing: string[];
  units: DryUnit[];
  /** Units that would be taken back. */
  takenBack: number;
}

export type DryRunOutcome =
  | { kind: "not_found" }
  | {
      kind: "planned";
      orderId: OrderId;
      name: string;
      environment: Environment;
      /** The obstacles to the order or to a part of it: keys of app/modules/orders/dry-run-words.ts. */
      obstacles: (
        | "not_paid"
        | "paid_in_part"
        | "cancelled"
        | "erased"
        | "backdated"
        | "other_name"
        | "not_a_test_then"
        | "money_back"
        | "high_risk"
        | "risk_pending"
        | "no_connection"
      )[];
      isHeld: boolean;
      lines: DryLine[];
    };

/**
 * Plans what Pathway would do about an order if it read the order now, to the last field of each create call. Reads
 * the order from the store and changes nothing anywhere. Throws when the store cannot be read.
 */
export async function dryRunOrder(
  {
    tenancy,
    storeOrders,
    orderRisk,
    emailByService,
  }: Pick<Ports, "tenancy" | "storeOrders" | "orderRisk" | "emailByService">,
  { shop, name }: { shop: ShopDomain; name: string },
): Promise<DryRunOutcome> {
  const orderId = await storeOrders.findByName(shop, name);
  const order = orderId && (await storeOrders.read(shop, orderId));
  if (!order) return { kind: "not_found" };
  const { isRiskRead, ...plan } = await tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    if (!settings) throw new Error("A signed-in shop has no row of its own");
    const environment = environmentOf(settings, order);
    const lines = await withSoldVariants(tenant, order);
    const matches = matchLines(lines, await mappingsOf(tenant, environment, lines));
    const existing = await countForgotten(tenant, await tenant.requests.forOrder(order.id));
    const reported = await withResults(tenant, existing);
    const ignored = await tenant.orders.ignoredUnits(order.id);
    const isErased = (await tenant.orders.findForUpdate(order.id))?.redactedAt != null;
    const catalogue = await tenant.catalogues.find(environment);
    const byService = settings.emailByService ?? emailByService;
    const isConnected = (await tenant.connections.find(environment)) !== null;
    const isOfOtherName =
      existing.length === 0 && (await tenant.shops.orderedUnderOtherName(order.id));
    const last = await tenant.orders.lastReading(order.id);
    const { firstInstalledAt } = settings;
    const isDealtWith = last !== null && wasDealtWithUnseen(last, order, firstInstalledAt);
    const known = { matches, existing, reported, ignored, isDealtWith };
    const plan = planOrder({ ...order, lines }, { ...known, isOfOtherName, firstInstalledAt });
    const isLongAgo = isBackdated(order, firstInstalledAt) && existing.length === 0;
    // An order that is known by an earlier payment waits for the rest.
    const isUnpaid =
      !(order.paid || order.paidInPart || existing.length > 0) &&
      (last === null || order.isMoneyBack === true);
    // Once the buyer's data was destroyed, nothing more is opened or taken back.
    const open = isErased ? [] : plan.open.filter(({ units }) => units.length > 0);
    const going = isErased ? [] : plan.cancel;
    const staying = existing.filter((one) => !going.includes(one));
    const notes = await notesOf(tenant, lines, staying);
    return {
      isRiskRead: settings.holdHighRisk && (open.length > 0 || staying.some(isHeldWhereRisky)),
      orderId: order.id,
      name: order.name,
      environment,
      isHeld: settings.holdOrders,
      obstacles: [
        ...(isUnpaid ? ["not_paid" as const] : []),
        ...(plan.owed > 0 && !isUnpaid ? ["paid_in_part" as const] : []),
        ...(order.cancelledAt ? ["cancelled" as const] : []),
        ...(isErased ? ["erased" as const] : []),
        ...(isLongAgo || plan.backdated > 0 ? ["backdated" as const] : []),
        ...(isOfOtherName ? ["other_name" as const] : []),
        ...(plan.ignored > 0 ? ["not_a_test_then" as const] : []),
        ...(order.isMoneyBack && !isUnpaid ? ["money_back" as const] : []),
        ...(isConnected ? [] : ["no_connection" as const]),
      ],
      lines: order.lines.map((line) => {
        const match = matches.get(line.id);
        const requests = existing.filter((request) => request.lineItemId === line.id);
        return {
          ...planLine(
            tenant,
            { order, line, requests, going, opens: unitsOf(open, line), notes, byService },
            match?.mapping ?? null,
          ),
          mapping: match?.state ?? "unmapped",
          missing: missingFrom(catalogue, match?.mapping ?? null),
        };
      }),
    };
  });
  const risk = isRiskRead ? await orderRisk.assess(shop, order.id) : null;
  const obstacles =
    risk && risk !== "clear" ? [...plan.obstacles, RISK_REASONS[risk]] : plan.obstacles;
  return { kind: "planned", ...plan, obstacles };
}

/** Whether a request is still to be sent, and nobody has taken the order's risk for it. */
const isHeldWhereRisky = (request: ReferralRequest): boolean =>
  isUnsent(request) && !request.riskAccepted;

const unitsOf = (open: readonly LineToOpen[], { id }: StoreOrderLine): number[] =>
  open.flatMap(({ line, units }) => (line.id === id ? units : []));

/** The practitioner's notes to what requests with Medicare tests order, by the requests' ids. */
async function notesOf(
  tenant: Tenant,
  lines: StoreOrderLine[],
  requests: ReferralRequest[],
): Promise<Map<string, string>> {
  const units = requests.flatMap(({ id, environment, lineItemId, items }) => {
    const { variantId, productId = null } = lines.find((line) => line.id === lineItemId) ?? {};
    if (!variantId || items.medicareTests.length === 0) return [];
    return [{ id, environment, items, sold: { variantId, productId } }];
  });
  const notes = new Map<string, string>();
  for (const environment of ENVIRONMENTS) {
    const own = units.filter((unit) => unit.environment === environment);
    const texts = await tenant.mappings.textsOf(environment, own);
    for (const [index, { id }] of own.entries()) {
      const { clinicalNotes = null } = texts[index] ?? {};
      if (clinicalNotes) notes.set(id, clinicalNotes);
    }
  }
  return notes;
}

interface LineToPlan {
  order: StoreOrder;
  line: StoreOrderLine;
  requests: ReferralRequest[];
  /** Requests of the order that would be cancelled. */
  going: readonly ReferralRequest[];
  /** Units of the line that requests would be opened for. */
  opens: number[];
  /** The practitioner's notes of requests, by their ids. */
  notes: ReadonlyMap<string, string>;
  /** Whether the service emails the form itself. */
  byService: boolean;
}

function planLine(
  { shop }: Tenant,
  { order, line, requests, going, opens, notes, byService }: LineToPlan,
  mapping: Mapping | null,
): Omit<DryLine, "mapping" | "missing"> {
  const clinicalNotes = (mapping?.kind === "order" && mapping.clinicalNotes) || null;
  // A request that was refused and ordered again is over: its replacement stands beside it.
  const alive = requests.filter(
    ({ state, replacedBy }) => state !== "cancelled" && !(state === "rejected" && replacedBy),
  );
  const kept = alive.filter((request) => !going.includes(request));
  const units = kept.map((request): DryUnit => {
    const { unit, generation, state } = request;
    const own = mapping?.environment === request.environment ? mapping : undefined;
    const items = itemsOfCall(request, own);
    const isPresent = own?.kind === "order" && own.items === items;
    const told = {
      clinicalNotes: isPresent ? clinicalNotes : (notes.get(request.id) ?? null),
      emailReferralToCustomer: byService,
    };
    return { unit, generation, state, order: planned(shop, { ...request, items }, told) };
  });
  const opened = opens.map((unit): DryUnit => {
    const fact = { orderId: order.id, lineItemId: line.id, unit, generation: 1 };
    const items = mapping?.kind === "order" ? mapping.items : NOTHING;
    const request = {
      ...fact,
      id: NOT_YET,
      items,
      referenceNumber: referenceNumber({ shop, ...fact }),
    };
    const told = { clinicalNotes, emailReferralToCustomer: byService };
    return { unit, generation: 1, state: null, order: planned(shop, request, told) };
  });
  const { title, sku, quantity, currentQuantity } = line;
  return {
    title,
    sku,
    quantity,
    currentQuantity,
    units: [...units, ...opened],
    takenBack: alive.length - kept.length,
  };
}

const NOT_YET = "(given when the request is opened)";
const NOTHING = { bundleId: null, tests: [], medicareTests: [], practitioner: null };

function planned(
  shop: ShopDomain,
  request: Parameters<typeof orderMetadata>[1] & Pick<ReferralRequest, "items" | "referenceNumber">,
  told: Pick<PlannedOrder, "clinicalNotes" | "emailReferralToCustomer">,
): PlannedOrder {
  const { items, referenceNumber } = request;
  return {
    items,
    referenceNumber,
    metadata: orderMetadata(shop, request),
    ...told,
  };
}

function missingFrom(catalogue: Catalogue | null, mapping: Mapping | null): string[] {
  if (!catalogue || mapping?.kind !== "order") return [];
  const { bundleId, tests, medicareTests } = mapping.items;
  const known = new Set([...catalogue.tests, ...catalogue.bundles].map((one) => one.id));
  return [...(bundleId ? [bundleId] : []), ...tests, ...medicareTests].filter(
    (id) => !known.has(id),
  );
}
