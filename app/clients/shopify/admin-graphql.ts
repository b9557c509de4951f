import { GraphqlQueryError, HttpResponseError, type Session } from "@shopify/shopify-api";
import { SessionNotFoundError } from "@shopify/shopify-app-remix/server";
import { z } from "zod";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { STORE_VERSION_STATES, storeVersions } from "../../platform/counters.ts";
import type { Logger } from "../../platform/logger.ts";
import { storable } from "../../platform/storable.ts";
import { inStep } from "../../platform/traces.ts";
import { API_VERSION } from "./api-version.ts";
import { keepCause, sendOnce, type Unanswered } from "./platform-fetch.ts";
import type { Sessions } from "./session-storage.ts";
import type { ShopifyApp } from "./shopify-app.ts";
import { StoreError } from "./store-error.ts";

/** The pace that the store allows, as an answer states it. */
export interface QueryCost {
  /** How long to wait before the same operation can be afforded again, in milliseconds. */
  restMs: number;
}

/** Where a field stands in an answer: names, and places in lists. */
export type FieldPath = readonly (string | number)[];

/** Runs one operation as the shop's offline session and reads the answer's data. Throws StoreError. */
export type AdminGraphql = <T>(
  shop: ShopDomain,
  operation: string,
  variables: Record<string, unknown>,
  reads: z.ZodType<T>,
  options?: {
    onCost?: (cost: QueryCost) => void;
    /** Told where something in the answer is empty because the app has no approval for it. */
    onDenied?: (paths: FieldPath[]) => void;
    /** Done twice it would be done twice: it is sent once, and rejects with `store_unclear` when nobody knows whether it arrived. */
    once?: boolean;
  },
) => Promise<T>;

/**
 * Creates the caller of the Admin API as one shop's offline session. Each answer is read by the operation's own schema. Rejects
 * with StoreError: whoever asks is told whether asking again may help.
 */
export function createAdminGraphql(
  shopify: ShopifyApp,
  sessions: Pick<Sessions, "expire">,
  logger: Logger,
): AdminGraphql {
  const noticeVersion = versionNotices(logger);
  return async (shop, operation, variables, reads, { onCost, onDenied, once = false } = {}) => {
    const {
      data,
      extensions,
      headers,
      denied = [],
    } = await inStep(`store ${nameOf(operation)}`, { kind: "client" }, () => {
      const unanswered: Unanswered = {};
      return keepCause(unanswered, () =>
        run({ shopify, sessions, unanswered }, shop, { operation, variables, once }),
      );
    });
    if (headers) noticeVersion(nameOf(operation), headers);
    onCost?.({ restMs: restAfter(extensions) });
    if (denied.length > 0) onDenied?.(denied);
    // A title that can't be stored would keep its order from being stored.
    const parsed = reads.safeParse(storable(data));
    if (!parsed.success) {
      const code = once ? "store_unclear" : "store_unreadable";
      throw new StoreError(code, new Error(paths(parsed.error)));
    }
    return parsed.data;
  };
}

/** The operation's own name: each of ours has one. */
const nameOf = (operation: string) =>
  /\b(?:query|mutation)\s+(\w+)/.exec(operation)?.[1] ?? "unnamed";

async function run(
  {
    shopify,
    sessions,
    unanswered,
  }: { shopify: ShopifyApp; sessions: Pick<Sessions, "expire">; unanswered: Unanswered },
  shop: ShopDomain,
  {
    operation,
    variables,
    once,
  }: { operation: string; variables: Record<string, unknown>; once: boolean },
): Promise<Answer> {
  let session: Session | undefined;
  const sending = { wasSent: false };
  try {
    const { admin, ...signedIn } = await shopify.unauthenticated.admin(shop);
    session = signedIn.session;
    // The library sends a call again that was not answered, or with 429 or 503.
    const response = once
      ? await sendOnce(sending, () => admin.graphql(operation, { variables, tries: 1 }))
      : await admin.graphql(operation, { variables, tries: 3 });
    return envelope.parse(await response.json());
  } catch (error) {
    if (error instanceof GraphqlQueryError) return dataDespite(error, { once });
    if (error instanceof SessionNotFoundError) throw new StoreError("store_no_session");
    if (error instanceof HttpResponseError && error.response.code === 404)
      throw new StoreError("store_not_found", error);
    const refused = error instanceof HttpResponseError && (await isShopifys(error)) ? error : null;
    // Until its end, the library would use the token that Shopify took back.
    // Without a session it was the renewal that failed, and no word of the shop.
    const refusal = session && refused ? refused.response.code : null;
    if (session && refusal === 401) await sessions.expire(session);
    if (refusal === 401 || refusal === 403) throw new StoreError("store_not_signed_in", error);
    // The system's code tells a name that can't be looked up from a certificate that has expired.
    const cause = unanswered.cause ?? error;
    if (sending.wasSent && !refused && !isPutOff(error))
      throw new StoreError("store_unclear", cause);
    throw new StoreError("store_unreachable", cause);
  }
}

/** The answer to a call that failed, as the library keeps it: its body was not read. */
const failedAnswer = z.object({
  errors: z.object({ response: z.custom<Response>((one) => one instanceof Response) }),
});
const shopifysRefusal = z.object({ errors: z.union([z.string(), z.looseObject({})]) });

/**
 * Whether Shopify itself refused a call (4xx), so that it did nothing: it then says why under `errors`. A firewall, a proxy or a sign-in of
 * the network writes a page, or JSON of its own, and may hold back an answer as well as a call.
 */
async function isShopifys({ response: { code, body } }: HttpResponseError): Promise<boolean> {
  const answered = failedAnswer.safeParse(body);
  if (code > 499 || !answered.success) return false;
  // An answer that breaks off, or is no JSON, is nobody's word.
  const said: unknown = await answered.data.errors.response.json().catch(() => null);
  return shopifysRefusal.safeParse(said).success;
}

/** Whether it was said that the call was not even begun. */
const isPutOff = (error: unknown): boolean =>
  error instanceof HttpResponseError && [429, 503].includes(error.response.code);

const envelope = z.object({
  data: z.unknown(),
  extensions: z.unknown().optional(),
  headers: z.record(z.string(), z.array(z.string())).optional(),
});
type Answer = z.infer<typeof envelope> & { denied?: FieldPath[] };

/**
 * Counts answers in another version than was asked for, and those that use what Shopify gives up. Shopify works on without an
 * error, until a field is gone. Each operation is logged once for each state: the rest says the same.
 */
function versionNotices(logger: Logger) {
  const told = new Set<string>();
  return (operation: string, headers: Record<string, string[]>) => {
    const version = headers["X-Shopify-Api-Version"]?.[0];
    const states = {
      retired: version !== undefined && version !== API_VERSION,
      deprecated: headers["X-Shopify-Api-Deprecated-Reason"] !== undefined,
    };
    for (const state of STORE_VERSION_STATES) {
      if (!states[state]) continue;
      storeVersions.add({ state });
      const notice = `${state} ${operation}`;
      if (told.has(notice)) continue;
      told.add(notice);
      logger.warn({ code: `store_version_${state}`, operation, version }, "Shopify changes");
    }
  };
}

const costSchema = z.object({
  cost: z.object({
    requestedQueryCost: z.number(),
    throttleStatus: z.object({
      currentlyAvailable: z.number(),
      restoreRate: z.number().positive(),
    }),
  }),
});

/**
 * Other work of the shop, and what the merchant waits for, draw on the same points: background work takes the
 * next turn only when three of its like could be afforded.
 */
const RESERVE = 3;

function restAfter(extensions: unknown): number {
  const cost = costSchema.safeParse(extensions).data?.cost;
  if (!cost) return 0;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  const missing = RESERVE * cost.requestedQueryCost - currentlyAvailable;
  return Math.max(0, Math.ceil((missing / restoreRate) * 1000));
}

const partialSchema = z.object({
  // A throttled operation is answered without any.
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.object({
    graphQLErrors: z
      .array(
        z.object({
          path: z.array(z.union([z.string(), z.number()])).optional(),
          extensions: z.object({ code: z.string() }).optional(),
        }),
      )
      .min(1),
  }),
});
type GraphqlFault = z.infer<typeof partialSchema>["errors"]["graphQLErrors"][number];

/** Something broke on Shopify's side, before or after it did what was asked. */
const BROKE = "INTERNAL_SERVER_ERROR";

/**
 * Shopify says in a good answer that it does not work just now: too much was asked, something broke on its side, or the
 * shop's plan has lapsed. Nobody has refused anything.
 */
const AWAY: ReadonlySet<string> = new Set(["THROTTLED", BROKE, "SHOP_INACTIVE"]);

/**
 * Customer fields for which the app has no approval come back as null beside errors (Shopify's rules for
 * protected customer data). The order is still there, and is worth having. What is denied as a whole comes back
 * as null too: nobody may take that for something that does not exist.
 */
function dataDespite(error: GraphqlQueryError, { once }: { once: boolean }): Answer {
  const parsed = partialSchema.safeParse(error.body);
  const faults = parsed.data?.errors.graphQLErrors ?? [{}];
  if (once && !faults.every(isSaidByCode)) throw new StoreError("store_unclear", error);
  if (faults.some(({ extensions }) => AWAY.has(extensions?.code ?? "")))
    throw new StoreError("store_unreachable", error);
  const data = parsed.data?.data;
  if (!data || !faults.every((fault) => isFieldDenied(fault, data)))
    throw new StoreError("store_refused", error);
  return { data, denied: faults.flatMap(({ path }) => (path ? [path] : [])) };
}

/** Whether Shopify says by a code why it did not do what was asked. Without one, something failed while it did. */
const isSaidByCode = ({ extensions }: GraphqlFault): boolean =>
  extensions !== undefined && extensions.code !== BROKE;

/** Whether access was denied to something inside of what was asked for, and all around it is there. */
function isFieldDenied({ path, extensions }: GraphqlFault, data: Record<string, unknown>): boolean {
  const [root, ...inside] = path ?? [];
  return extensions?.code === "ACCESS_DENIED" && inside.length > 0 && data[String(root)] !== null;
}

const paths = (error: z.ZodError) => error.issues.map((issue) => issue.path.join(".")).join(", ");
