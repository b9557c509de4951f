import type { AnswerIds } from "../../../platform/errors.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import type { Environment } from "../../shops/connection.ts";
import { apply } from "../apply.ts";
import type { Ports } from "../ports.ts";
import type { ReferralRequest } from "../request.ts";
import type { Tenant } from "../tenant.ts";
import type { UnreadableEntry } from "../unreadable-entry.ts";

/** Told by its shape: the error's class is not the same in every bundle (docs/decisions/0002). */
export const isUnreadable = (error: unknown): error is UnreadableAnswer =>
  error instanceof Error && "failure" in error && error.failure === "contract_mismatch";

type UnreadableAnswer = Error & { ids?: AnswerIds | null };

type Ended = Target & { announces?: string | null; unread?: string[] | undefined };

interface Target {
  environment: Environment;
  kind: Extract<UnreadableEntry["kind"], "referral" | "result">;
  uuid: string;
}

/**
 * Tells a person that an answer of the service cannot be read: its uuid stands with the connection, and the request
 * that it belongs to, or that the answer names, has one item in the inbox. The next answer that can be read ends both.
 */
export async function recordUnreadableOwn(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
  { environment, kind, uuid, error }: Target & { error: UnreadableAnswer },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    const now = clock.now();
    // The message begins with the call. A page in the place of an answer has no field, and is told by its status.
    const field = error.message.replace(/^.*?(: | (?=answered ))/, "");
    await tenant.unreadable.record(environment, [{ kind, uuid, field }], now);
    // A cache on the way may give another's answer.
    const ids = error.ids && ["", uuid.toLowerCase()].includes(error.ids.uuid) ? error.ids : null;
    const owner = await ownerOf(tenant, { environment, kind, uuid });
    const requestId = owner ?? (ids && (await livingNamed(tenant, environment, ids)));
    const by = { actor: "pathway", at: now } as const;
    const code = "contract_mismatch";
    if (requestId) await apply(tenant, requestId, { kind: "answer_unreadable", uuid, code }, by);
  });
}

/** Whether something is stored here that the service had and did not delete, or is a result that one of our referrals announced. */
export async function isHeldHere(tenant: Tenant, { kind, uuid }: Target): Promise<boolean> {
  const stored = await (kind === "result" ? tenant.results : tenant.referrals).find(uuid);
  if (stored) return stored.deletedAt === null;
  return kind === "result" && (await tenant.referrals.announcing(uuid)) !== null;
}

/**
 * Tells a person that the service has no such referral or result any more, though it is stored here. It is not deleted for
 * that: credentials of another organisation do not find anything. The next answer ends it.
 */
export async function recordMissingOwn(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, ...target }: Target & { shop: ShopDomain },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    const requestId = await ownerOf(tenant, target);
    const by = { actor: "pathway", at: clock.now() } as const;
    const event = { kind: "answer_unreadable", uuid: target.uuid, code: "not_found" } as const;
    if (requestId) await apply(tenant, requestId, event, by);
  });
}

/** The request that a referral or result belongs to, also when a restored database only keeps it in mind. */
async function ownerOf(
  tenant: Tenant,
  { environment, kind, uuid }: Target,
): Promise<string | null> {
  const stored = await (kind === "result" ? tenant.results : tenant.referrals).find(uuid);
  if (stored) return stored.requestId;
  const announcing = kind === "result" ? await tenant.referrals.announcing(uuid) : null;
  if (announcing) return announcing.requestId;
  const reference = await tenant.restores.referenceNumberOf(environment, uuid);
  return requestNamed(tenant, environment, { referralUuid: null, referenceNumber: reference });
}

type Named = Pick<AnswerIds, "referralUuid" | "referenceNumber">;

/** The request of an environment that an unreadable answer names. */
export async function requestNamed(
  tenant: Tenant,
  environment: Environment,
  { referralUuid, referenceNumber }: Named,
): Promise<string | null> {
  const named =
    (referralUuid && (await tenant.referrals.find(referralUuid))) ||
    (referenceNumber && (await tenant.requests.findByReferenceNumber(referenceNumber))) ||
    null;
  if (named?.environment !== environment) return null;
  return "requestId" in named ? named.requestId : named.id;
}

/** The same, unless its data were erased: nobody waits for anything of it. */
export async function livingNamed(
  tenant: Tenant,
  environment: Environment,
  named: Named,
): Promise<string | null> {
  const requestId = await requestNamed(tenant, environment, named);
  return requestId && !(await tenant.requests.isRedacted(requestId)) ? requestId : null;
}

/**
 * Ends what `recordUnreadableOwn` told, once the answer was read. Returns the request, which is locked from then on. `announces`: the
 * result that a referral names, of which its own reading says nothing. `unread`: fields without which it was read, which stand with
 * the connection.
 */
export async function endUnreadable(
  tenant: Tenant,
  { environment, kind, uuid, announces = null, unread = [] }: Ended,
  request: ReferralRequest,
  at: Date,
): Promise<ReferralRequest> {
  if (unread.length > 0)
    await tenant.unreadable.record(environment, [{ kind, uuid, field: unread.join("; ") }], at);
  else await tenant.unreadable.forget(environment, kind, [uuid]);
  if (request.reviewReason?.code !== "unreadable_at_service") return request;
  if (announces && !(await wasRead(tenant, environment, { uuid: announces, at }))) return request;
  const applied = await apply(
    tenant,
    request.id,
    { kind: "answer_read" },
    { actor: "service", at },
  );
  return applied?.request ?? request;
}

/** Whether the last reading of a result brought it. */
async function wasRead(
  tenant: Tenant,
  environment: Environment,
  { uuid, at }: { uuid: string; at: Date },
): Promise<boolean> {
  if (!(await tenant.results.find(uuid))) return false;
  const unread = await tenant.unreadable.list(environment, at);
  return !unread.some((one) => one.kind === "result" && one.uuid === uuid);
}
