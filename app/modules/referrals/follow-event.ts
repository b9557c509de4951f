import type { ShopDomain } from "../kernel/ids.ts";
import type { ToldEvent } from "../kernel/inbox.ts";
import type { Environment } from "../shops/connection.ts";
import { SELF_TEST_PREFIX } from "../shops/self-test.ts";
import { SERVICE_EVENT_TYPES, type ServiceHint } from "./event-types.ts";
import { FIRST_RESULT, NO_REST } from "./events/refetch-pause.ts";
import type { Job } from "./jobs.ts";

type Hint = Extract<ServiceHint, { kind: "hint" }>;
type Subject = Pick<Hint, "eventType" | "referralUuid" | "resultUuid">;

/** One look at what an event names, and how long it waits for whatever else is told meanwhile. */
export interface Look {
  job: Extract<Job, { name: "refetch-referral" | "refetch-result" }>;
  restMs: number;
}

/** The consequences of an event that no stored row has a say in. */
export interface Follow {
  looks: Look[];
  told: ToldEvent;
}

/** These tell that figures came. They come several at a time. */
const FIGURES_CAME: readonly string[] = [
  "referral.partial_results",
  "referral.complete",
  "result.created",
  "result.partial_results",
  "result.complete",
] satisfies readonly (typeof SERVICE_EVENT_TYPES)[number][];

/**
 * Returns what follows from most events: what they name is looked at. Null when something that is stored has a say: whether a
 * create call has told of the referral, or will; whether the result of which more is told is shown already. Null too when
 * the event cannot be read or is Pathway's own. Such an event has a job of its own (handle-service-event.ts).
 */
export function followOf(
  { eventId, hint }: { eventId: string; hint: ServiceHint },
  target: { shop: ShopDomain; environment: Environment },
): Follow | null {
  if (eventId.startsWith(SELF_TEST_PREFIX) || hint.kind === "unreadable") return null;
  if (hint.eventType === "referral.created") return null;
  if (hint.resultUuid && !tellsOfFigures(hint)) return null;
  const looks = looksAt(hint, target, { isNew: true });
  return { looks, told: { ...subjectOf(hint), ledTo: "fetch" } };
}

/** The looks at what an event names. `isNew`: nothing is stored of its result. */
export function looksAt(
  hint: Subject,
  target: { shop: ShopDomain; environment: Environment },
  { isNew }: { isNew: boolean },
): Look[] {
  const { referralUuid, resultUuid } = hint;
  const waits = resultUuid !== null && (isNew || tellsOfFigures(hint));
  const { referralMs, resultMs } = waits ? FIRST_RESULT : NO_REST;
  const looks: Look[] = [];
  if (referralUuid) {
    const job = { name: "refetch-referral", ...target, uuid: referralUuid } as const;
    looks.push({ job, restMs: referralMs });
  }
  if (resultUuid) {
    const job = { name: "refetch-result", ...target, uuid: resultUuid } as const;
    looks.push({ job, restMs: resultMs });
  }
  return looks;
}

const tellsOfFigures = ({ eventType }: Subject) => FIGURES_CAME.includes(eventType);

/** The subject of an event, as far as it is worth keeping: a type that nobody knows might tell more than it should. */
export function subjectOf(hint: ServiceHint): Pick<ToldEvent, "eventType" | "about"> {
  if (hint.kind === "unreadable") return { eventType: null, about: null };
  const { eventType, referralUuid, resultUuid } = hint;
  const isKnown = SERVICE_EVENT_TYPES.some((type) => type === eventType);
  return { eventType: isKnown ? eventType : null, about: resultUuid ?? referralUuid };
}
