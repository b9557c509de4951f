import { z } from "zod";
import type { ReferralService } from "../../modules/referrals/referral-service.ts";
import type { ReadList } from "../../modules/referrals/unreadable-entry.ts";
import type { Environment } from "../../modules/shops/connection.ts";
import { serviceCalls } from "../../platform/counters.ts";
import { ReferralServiceError, type ReferralServiceFailure } from "../../platform/errors.ts";
import { AnsweredError } from "./answered-error.ts";
import { createBody } from "./create-body.ts";
import { createOutcomeOf } from "./create-outcome.ts";
import type { Transport } from "./http/transport.ts";
import { referralsOn, resultsOn } from "./listed-page.ts";
import { type Middleware, passThrough } from "./middleware.ts";
import { NotSentError } from "./not-sent-error.ts";
import { PAGE_SIZE, walkPages } from "./paging.ts";
import { type Call, createRequestPath, labelOf, type RequestPathOptions } from "./request-path.ts";
import { bundleSchema, testSchema } from "./wire/catalogue.ts";
import { type Page, pageSchema, rawPageSchema } from "./wire/page.ts";
import { readEach, readWire } from "./wire/read-wire.ts";
import {
  createdReferralsSchema,
  isReferral,
  referralSchema,
  scannedReferralSchema,
} from "./wire/referral.ts";
import { isResult, resultSchema } from "./wire/result.ts";

export interface ReferralServiceClientOptions extends Omit<RequestPathOptions, "middleware"> {
  /** Which of the service's environments this is, for those who count its calls. */
  environment: Environment;
  /** Milliseconds for a whole exchange. A create call may take over 10 s (interface §4.2 rule 12). */
  timeouts?: { createMs?: number; otherMs?: number };
  /** Pacing and circuit breaker of this connection; see middleware.ts, circuit-breaker.ts and `inSeries`. */
  middleware?: Middleware;
  /** Sends create calls; `ownConnections()` outside of tests. The same as everything else when absent. */
  createTransport?: Transport;
  /** When aborted, create calls under way are given up and count as unclear (ledger rule 4). */
  abortOnShutdown?: AbortSignal;
  /**
   * Told what each call came to: null, or how it failed. Not of calls that this process gave up by itself. `isOrder`: whether it was an
   * order that left.
   */
  onCall?: (call: {
    failure: ReferralServiceFailure | null;
    error?: unknown;
    isOrder: boolean;
  }) => void;
}

const referralPage = pageSchema(scannedReferralSchema, isReferral);
const resultPage = pageSchema(resultSchema, isResult);
type PageOf<P> = (text: string, label: string) => P;

const bundlePage = rawPageSchema((entry) => typeof entry.id === "string");

/** The id of a test or bundle, also of one that cannot be read. */
const catalogueId = (entry: unknown) =>
  z.object({ id: z.string() }).safeParse(entry).data?.id ?? "";

function readCatalogue<T>(
  kind: "test" | "bundle",
  schema: z.ZodType<T>,
  listed: unknown[],
): ReadList<T> {
  const { read, unread } = readEach(schema, listed);
  const unreadable = unread.map(({ entry, field }) => ({ kind, uuid: catalogueId(entry), field }));
  return { entries: read, unreadable };
}

/**
 * The client of one connection (interface §4). All methods but `createReferral` throw ReferralServiceError;
 * none repeats a call except once after 401 and, but for a create, after a shared connection that was closed meanwhile: the
 * caller's job runner knows better when to try again.
 */
export function createReferralServiceClient(
  options: ReferralServiceClientOptions,
): ReferralService {
  const send = createRequestPath({ ...options, middleware: options.middleware ?? passThrough });
  const { environment } = options;
  const { createMs = 120_000, otherMs: timeoutMs = 15_000 } = options.timeouts ?? {};

  /** Counts a call by its method and what became of it, as a class that says nothing of what was sent. */
  async function counted<T>({ method }: Pick<Call, "method">, work: () => Promise<T>): Promise<T> {
    const isOrder = method === "POST";
    try {
      const value = await work();
      serviceCalls.add({ environment, method, outcome: "success" });
      options.onCall?.({ failure: null, isOrder });
      return value;
    } catch (error) {
      serviceCalls.add({ environment, method, outcome: outcomeOf(error) });
      const failure = failureOf(error);
      const hasLeft = !(error instanceof NotSentError);
      if (failure) options.onCall?.({ failure, error, isOrder: isOrder && hasLeft });
      throw error;
    }
  }

  function request<T>({ reads, ...call }: Call & { reads: z.ZodType<T> }): Promise<T> {
    return counted(call, async () => readWire(reads, await send(call), labelOf(call)));
  }

  function list<T>(path: string, reads: z.ZodType<Page<T>>, idOf: (entry: T) => string) {
    return walkPages((...at) => request({ ...pageCall(path, ...at), reads }), idOf);
  }

  /** A bundle that is left out is at worst not offered. */
  function bundles() {
    const [path, apiVersion] = ["/v1/bundles", "1.1.0"] as const;
    const fetchPage = (cursor: string | null) =>
      request({ ...pageCall(path, cursor), reads: bundlePage, apiVersion });
    return walkPages(fetchPage, catalogueId, { mayBreakOff: true });
  }

  function onePage<P>(path: string, cursor: string | null, pageOf: PageOf<P>): Promise<P> {
    const call = pageCall(path, cursor);
    return counted(call, async () => pageOf(await send(call), labelOf(call)));
  }

  function pageCall(path: string, cursor: string | null, size = PAGE_SIZE) {
    const query = { count: String(size), sort: "desc" };
    return {
      method: "GET",
      path,
      query: cursor === null ? query : { ...query, cursor },
      timeoutMs,
    } as const;
  }

  return {
    async createReferral(order, { deadlineAt }) {
      const path = "/v1/referrals";
      const body = createBody(order);
      const reads = createdReferralsSchema;
      try {
        const call = {
          method: "POST",
          path,
          body,
          reads,
          timeoutMs: createMs,
          deadlineAt,
          transport: options.createTransport,
          giveUp: options.abortOnShutdown,
        } as const;
        return { kind: "created", referrals: await request(call) };
      } catch (error) {
        return createOutcomeOf(error);
      }
    },

    getReferral(uuid) {
      const path = `/v1/referrals/${encodeURIComponent(uuid)}`;
      const reads = answerAbout(uuid, referralSchema);
      const found = request({ method: "GET", path, reads, timeoutMs });
      return found.catch(nullWhen("REFERRAL_NOT_FOUND"));
    },

    getResult(uuid) {
      const path = `/v1/results/${encodeURIComponent(uuid)}`;
      const reads = answerAbout(uuid, resultSchema);
      const found = request({ method: "GET", path, reads, timeoutMs });
      return found.catch(nullWhen("RESULT_NOT_FOUND"));
    },

    referralsNewestFirst: () => list("/v1/referrals", referralPage, (referral) => referral.uuid),

    resultsNewestFirst: () => list("/v1/results", resultPage, (result) => result.uuid),

    referralPage: (cursor) => onePage("/v1/referrals", cursor, referralsOn),

    resultPage: (cursor) => onePage("/v1/results", cursor, resultsOn),

    updateReferral(uuid, change, deadline) {
      const path = `/v1/referrals/${encodeURIComponent(uuid)}`;
      const reads = answerAbout(uuid, referralSchema);
      const call = { method: "PATCH", path, body: change, reads } as const;
      return request({ ...call, timeoutMs, ...deadline });
    },

    deleteReferral(uuid, { deadlineAt }) {
      const path = `/v1/referrals/${encodeURIComponent(uuid)}`;
      const reads = answerAbout(uuid, referralSchema);
      return request({ method: "DELETE", path, reads, timeoutMs, deadlineAt });
    },

    makeUpResults(uuid) {
      const path = `/v1/referrals/${encodeURIComponent(uuid)}`;
      const reads = answerAbout(uuid, referralSchema);
      return request({ method: "PUT", path, reads, timeoutMs });
    },

    async listTests(apiVersion) {
      const reads = z.array(z.unknown());
      const call = { method: "GET", path: "/v1/tests", timeoutMs, apiVersion } as const;
      const tests = await request({ ...call, reads });
      return readCatalogue("test", testSchema, tests);
    },

    async listBundles() {
      const listed: unknown[] = [];
      for await (const bundle of bundles()) listed.push(bundle);
      return readCatalogue("bundle", bundleSchema, listed);
    },
  };
}

/**
 * Reads an answer about one referral or result. A cache on the way may give another's: that one says nothing of what was asked for,
 * and its document must not be stored as this one's.
 */
const answerAbout = <T extends { uuid: string }>(uuid: string, schema: z.ZodType<T>) =>
  schema.refine((one) => one.uuid === uuid.toLowerCase(), { path: ["uuid"] });

/** How the service failed; null for what this process gave up by itself: that says nothing about the service. */
const failureOf = (error: unknown): ReferralServiceFailure | null =>
  error instanceof ReferralServiceError && !error.isOurs ? error.failure : null;

/** A service that no call reaches is away, also where the call knows that it was not sent: `not_sent` is what we held back. */
function outcomeOf(error: unknown): string {
  if (!(error instanceof ReferralServiceError)) return "unexpected";
  const isOurs = error instanceof NotSentError && error.failure === "rate_limited";
  return isOurs ? "not_sent" : error.failure;
}

/**
 * Turns the service's own "no such thing" into null, and a 410, which nothing but a deleted one has. A 404 without that code is an
 * error: a wrong base address answers 404 too, and must not look like a referral that has gone.
 */
function nullWhen(serviceCode: string): (error: unknown) => null {
  return (error) => {
    const isGone = (answered: AnsweredError) =>
      answered.serviceCode === serviceCode || answered.status === 410;
    if (error instanceof AnsweredError && isGone(error)) return null;
    throw error;
  };
}
