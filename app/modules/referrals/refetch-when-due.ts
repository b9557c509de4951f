import { AppError } from "../../platform/errors.ts";
import { currentTraceparent, goOnIn } from "../../platform/traces.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Turn } from "../kernel/jobs.ts";
import type { Environment } from "../shops/connection.ts";
import { pauseAfter } from "./events/refetch-pause.ts";
import type { Ports } from "./ports.ts";
import {
  isHeldHere,
  isUnreadable,
  recordMissingOwn,
  recordUnreadableOwn,
} from "./referrals/record-unreadable-own.ts";
import { type RefetchOutcome, refetchReferral } from "./referrals/refetch-referral.ts";
import { serviceRefusal } from "./referrals/service-refusal.ts";
import { withholdMoved } from "./results/moved-result.ts";
import { refetchResult } from "./results/refetch-result.ts";
import type { Tenant } from "./tenant.ts";

type RefetchPorts = Parameters<typeof refetchReferral>[0];
type RefetchJob = "refetch-referral" | "refetch-result";
type Target = { shop: ShopDomain; environment: Environment; uuid: string };
/** `ifStill`: the status that a referral must still have; left out where it is fetched whatever is stored. */
type Look = Target & { ifStill?: string | undefined; behind?: true | undefined };

/**
 * Does a queued refetch, or puts it off for a moment when the resource was asked for just now. A hint cannot know
 * that a fetch is under way: the job that it queues follows that fetch at once, and would do so again for each
 * hint of a burst. It keeps its key, so that the whole burst waits for one fetch. A job that failed has waited already,
 * and longer each time: put off, it would begin again as a new one, and a PDF that cannot be had be asked for at every
 * pause for ever.
 *
 * A look at something that nobody here knows of has a second turn behind everything that is known: an organisation may have others that order, and
 * events of thousands of their referrals must not hold up a patient's form.
 */
export async function refetchWhenDue(
  ports: RefetchPorts & Pick<Ports, "tenancy" | "clock">,
  name: RefetchJob,
  look: Look,
  turn: Turn,
): Promise<LookOutcome> {
  // An event of the service asks for it in a trace of its own.
  const order =
    currentTraceparent() === null
      ? null
      : await ports.tenancy.inShop(look.shop, ({ jobs }) => jobs.traceOf(look));
  return goOnIn(order, name, () => fetchUnlessSpared(ports, name, look, turn));
}

type LookOutcome = RefetchOutcome | { kind: "put_off" | "known" | "unreadable" };

async function fetchUnlessSpared(
  ports: RefetchPorts & Pick<Ports, "tenancy" | "clock">,
  name: RefetchJob,
  { ifStill, behind, ...target }: Look,
  { retries }: Turn,
): Promise<LookOutcome> {
  // Asked for together: most looks are neither put off nor known.
  const connecting = ports.services.forConnection(target.shop, target.environment);
  const [spared] = await Promise.all([
    retries === 0 ? spare(ports, name, { ...target, ifStill, behind }) : null,
    connecting,
  ]);
  if (spared) return { kind: spared };
  const kind = name === "refetch-result" ? "result" : "referral";
  const own = { ...target, kind } as const;
  try {
    const refetch = kind === "result" ? refetchResult : refetchReferral;
    const outcome = await refetch(ports, target, connecting).catch(notFoundWhenRefused);
    // A result may be announced by a referral of ours, and name another one itself.
    const isMissing =
      outcome.kind === "not_found" || (outcome.kind === "foreign" && kind === "result");
    if (isMissing && (await isHeld(ports, own))) {
      // A server that lags behind may not have it yet.
      if (retries < TURNS_BEFORE_TOLD) throw new AskAgain("not_found_at_service");
      // A service that still gives it as a result of something unknown here has given it to somebody else.
      if (outcome.kind === "foreign") await withholdForeign(ports, target);
      await recordMissingOwn(ports, own);
    }
    return outcome;
  } catch (error) {
    // A proxy's page may stand in for an answer once or twice. After that a person is told, and events ask again.
    if (!isUnreadable(error)) throw error;
    if (retries < TURNS_BEFORE_TOLD)
      throw new AskAgain("referral_service_contract_mismatch", error);
    await recordUnreadableOwn(ports, target.shop, { ...own, error });
    return { kind: "unreadable" };
  }
}

async function withholdForeign(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, uuid }: Target,
): Promise<void> {
  const now = clock.now();
  await tenancy.inShop(shop, (tenant) =>
    withholdMoved(tenant, { uuid, updatedAt: null }, { askedAt: now, now }),
  );
}

/** Asked for again, a refusal would be the same: whoever waits for this must not wait for ever. */
function notFoundWhenRefused(error: unknown): { kind: "not_found" } {
  if (serviceRefusal(error) === null) throw error;
  return { kind: "not_found" };
}

const TURNS_BEFORE_TOLD = 3;

const isHeld = (
  { tenancy }: Pick<Ports, "tenancy">,
  own: Target & { kind: "referral" | "result" },
) => tenancy.inShop(own.shop, (tenant) => isHeldHere(tenant, own));

/** The service does not find what is stored here, or its answer cannot be read. Asked for again, it may be otherwise. */
class AskAgain extends AppError {
  readonly code: "not_found_at_service" | "referral_service_contract_mismatch";
  readonly retryable = true;

  constructor(code: AskAgain["code"], cause?: unknown) {
    super(code, { cause });
    this.name = "AskAgain";
    this.code = code;
  }
}

/** Puts off what was asked for just now. `known`: what the look is for is stored already, whoever fetched it. */
async function spare(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  name: RefetchJob,
  { ifStill, behind, ...target }: Look,
): Promise<"put_off" | "known" | null> {
  return tenancy.inShop(target.shop, async (tenant) => {
    const repository = name === "refetch-result" ? tenant.results : tenant.referrals;
    const stored = await repository.find(target.uuid);
    if (ifStill && stored && stored.status !== ifStill) return "known";
    const lastFetch = name === "refetch-result" ? stored?.fetchedAt : lastFetchOf(stored);
    const kind = name === "refetch-result" ? "result" : "referral";
    if (!stored && !behind && !(await isHeldHere(tenant, { ...target, kind }))) {
      await tenant.jobs.enqueue({ name, ...target, behind: true });
      return "put_off";
    }
    const notBefore = pauseAfter(lastFetch, clock.now());
    if (notBefore) await tenant.jobs.enqueue({ name, ...target }, { notBefore });
    return notBefore === null ? null : "put_off";
  });
}

/**
 * Returns when a referral was last fetched. The answer to a create call is no refetch: its PDF comes next and must
 * not wait.
 */
export async function lastFetchOfReferral(tenant: Tenant, uuid: string): Promise<Date | null> {
  return lastFetchOf(await tenant.referrals.find(uuid));
}

const lastFetchOf = (stored: { status: string; fetchedAt: Date } | null) =>
  stored && stored.status !== "CREATED" ? stored.fetchedAt : null;
