import { z } from "zod";
import type { CustomerRequest } from "../../../sandbox/world/drivers/customer-api.ts";
import type { ServiceReferral, TestWorld } from "../../harness/index.ts";
import { misplacedRequests } from "../misplaced.ts";
import { REFERRALS_DUE } from "../unit-sql.ts";
import type { Life } from "./acts.ts";

const unitRow = z.object({
  id: z.string(),
  state: z.string(),
  reference: z.string(),
  lineItemId: z.string(),
  unit: z.number(),
  /** Why a person is needed; null when nobody is. */
  reason: z.string().nullable(),
  due: z.number(),
  isCancelled: z.boolean(),
  isReplaced: z.boolean(),
  kept: z.boolean(),
  owner: z.string(),
  /** The kinds of mails that went out about it. */
  mails: z.array(z.string()),
});
type Unit = z.infer<typeof unitRow>;

const UNITS = `SELECT r.id::text, r.state, r.reference_number AS reference, r.line_item_id AS "lineItemId", r.unit, r.kept, r.owner,
    coalesce(r.result_code, r.reason_code) AS reason, ${REFERRALS_DUE} AS due, r.cancellation_status IS NOT NULL AS "isCancelled",
    r.replaced_by IS NOT NULL AS "isReplaced",
    ARRAY(SELECT n.kind FROM notifications n WHERE n.shop = r.shop AND n.request_id = r.id AND n.sent_at IS NOT NULL) AS mails
  FROM referral_requests r WHERE r.order_id = $1 ORDER BY r.line_item_id, r.unit, r.generation`;
const storedRow = z.object({ status: z.string(), isGone: z.boolean() });
const orderNow = z.object({
  financialStatus: z.string(),
  cancelledAt: z.string().nullable(),
  lines: z.array(z.object({ id: z.string(), currentQuantity: z.number() })),
});

/** Returns the contradictions in the lives of these orders, a line each: what store, service, ledger, patient and mails say of one test has to agree. */
export async function judgeLives(world: TestWorld, lives: readonly Life[]): Promise<string[]> {
  const referrals = Map.groupBy(await world.service.recentReferrals(10_000), (one) =>
    String(one.referenceNumber),
  );
  const faults: string[] = [];
  for (const life of lives)
    faults.push(...(await judgeLife(life, (number) => referrals.get(number) ?? [])));
  return [...faults, ...(await misplacedRequests(world))];
}

type ReferralsOf = (referenceNumber: string) => readonly ServiceReferral[];

async function judgeLife(life: Life, referralsOf: ReferralsOf): Promise<string[]> {
  const { world, order, buyer } = life;
  const units = await world.sql.rows(unitRow, UNITS, [order.id]);
  const cards = new Map((await buyer.api.requests()).map((card) => [card.id, card]));
  const faults: string[] = [];
  for (const unit of units) {
    const own = referralsOf(unit.reference);
    const card = cards.get(unit.id);
    const found = [
      ...(await contradictionsOfLedger(world, unit, own)),
      ...(card ? contradictionsOfCard(unit, own, card) : []),
      ...(card ? await closedDocuments(life, card) : []),
    ];
    faults.push(...found.map((fault) => `${life.name} ${tell(unit, own, card)}: ${fault}`));
  }
  const now = orderNow.parse(await world.store.order(order.id));
  faults.push(...contradictionsOfStore(now, units, referralsOf).map((f) => `${life.name}: ${f}`));
  return faults;
}

async function contradictionsOfLedger(
  { sql }: TestWorld,
  unit: Unit,
  own: readonly ServiceReferral[],
): Promise<string[]> {
  const faults: string[] = [];
  if (own.length > unit.due) faults.push(`${own.length} referrals for ${unit.due}`);
  if (unit.state === "created" && own.length === 0) faults.push("created without a referral");
  if (["ready", "sending", "ambiguous"].includes(unit.state) && unit.reason === null)
    faults.push("neither done nor left to a person");
  for (const { uuid, status, deletedAt } of own) {
    const [stored] = await sql.rows(
      storedRow,
      `SELECT status, deleted_at IS NOT NULL AS "isGone" FROM referrals WHERE uuid = $1`,
      [uuid],
    );
    if (!stored) faults.push(`${uuid} is not known`);
    else if (stored.status !== status || stored.isGone !== (deletedAt !== null))
      faults.push(`stored as ${stored.status}${stored.isGone ? ", deleted" : ""}`);
  }
  return faults;
}

const STUCK = ["INSUFFICIENT_DATA", "REFUNDED", "FAILED_TEST", "BILLING_FAILED", "TRANSFERRED"];

/** The states that the buyer may be shown of a unit that has one referral, by what the service says of it; null where that is not all that counts. */
function statesThatFit(unit: Unit, [referral, ...others]: readonly ServiceReferral[]) {
  const isPlain = unit.state === "created" && unit.due === 1 && others.length === 0;
  if (!referral || !isPlain || unit.isCancelled || unit.isReplaced) return null;
  if (referral.resultsUuid)
    return ["results_ready", "partial_results", "in_review", "needs_support", "cancelled"];
  if (referral.deletedAt !== null) return ["cancelled", "needs_support"];
  if (STUCK.includes(referral.status)) return ["needs_support"];
  switch (referral.status) {
    case "ISSUED":
      return referral.referralAttachment ? ["form_ready"] : ["being_prepared"];
    case "SCHEDULED_REISSUE":
      return ["being_prepared"];
    case "CREATED":
    case "PENDING_VERIFICATION":
      return ["being_prepared", "form_ready"];
    default:
      return ["in_review", "needs_support"];
  }
}

function contradictionsOfCard(
  unit: Unit,
  own: readonly ServiceReferral[],
  { state, documents }: CustomerRequest,
): string[] {
  if (state === "handed_over") return [];
  const fitting = statesThatFit(unit, own);
  const has = (kind: string) => documents.some((one) => one.kind === kind);
  const isTold = (kinds: RegExp) => unit.mails.some((kind) => kinds.test(kind));
  return [
    ...(fitting && !fitting.includes(state) ? [`shown as none of ${fitting.join(", ")}`] : []),
    ...(state === "form_ready" && !has("referral") ? ["no form is there"] : []),
    ...(state === "form_ready" && !isTold(/^form_/) ? ["nobody was told of its form"] : []),
    ...(state === "results_ready" && !has("result") ? ["no report is there"] : []),
    ...(state === "results_ready" && !isTold(/^results_|^ring_today|^state_changed/)
      ? ["nobody was told of its results"]
      : []),
  ];
}

/** Documents that are listed and cannot be opened. */
async function closedDocuments({ buyer }: Life, { documents }: CustomerRequest): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, kind } of documents) {
    const status = await buyer.api.documentStatus(id);
    if (status !== 200) faults.push(`its ${kind} answers ${status}`);
  }
  return faults;
}

/** Units that are wanted and were taken back, or the other way round, and those that would be carried out twice. */
function contradictionsOfStore(
  { financialStatus, cancelledAt, lines }: z.infer<typeof orderNow>,
  units: readonly Unit[],
  referralsOf: ReferralsOf,
): string[] {
  const faults: string[] = [];
  for (const line of lines) {
    const own = units.filter(({ lineItemId }) => lineItemId === line.id);
    const isWanted = (one: Unit) => one.state !== "cancelled" && !one.isCancelled;
    const wanted = own.filter((one) => isWanted(one) && !one.isReplaced && !one.kept).length;
    const isLeft = own.some(({ reason, kept }) => reason !== null || kept);
    const kept = cancelledAt ? 0 : line.currentQuantity;
    // Units that an edit adds are ordered once they are paid.
    const isPaid = financialStatus !== "PARTIALLY_PAID";
    if (isPaid && wanted !== kept && !(wanted > kept && isLeft))
      faults.push(`${line.id}: ${kept} kept, ${wanted} wanted`);
    for (const [unit, orders] of Map.groupBy(own, (one) => one.unit)) {
      const alive = orders.flatMap(({ reference }) => referralsOf(reference).filter(isOfUse));
      const isTold = orders.some(({ reason }) => reason !== null);
      if (alive.length > Math.max(...orders.map(({ due }) => due)) && !isTold)
        faults.push(`${line.id}, unit ${unit}: ${alive.length} referrals that can be used`);
    }
  }
  return faults;
}

const isOfUse = ({ deletedAt, status }: ServiceReferral) =>
  deletedAt === null && !STUCK.includes(status);

function tell(unit: Unit, own: readonly ServiceReferral[], card: CustomerRequest | undefined) {
  const said = own.map(
    (one) =>
      `${one.status}${one.deletedAt ? " deleted" : ""}${one.referralAttachment ? " form" : ""}${one.resultsUuid ? " result" : ""}`,
  );
  const documents = card?.documents.map(({ kind }) => kind).join(", ") ?? "";
  return `${unit.id} ${unit.state} ${unit.reason ?? ""}, shown ${card?.state ?? "not"} (${documents}), service ${said.join(" + ")}`;
}
