import { z } from "zod";
import type { ServiceReady } from "../ready-lines.ts";
import { type CallJson, jsonCaller, UnexpectedAnswer } from "./http.ts";

const ACCEPT = "application/vnd.service.v1.1.0+json";
const PAGE_SIZE = 20;

export const serviceReferralSchema = z.looseObject({
  uuid: z.string(),
  status: z.string(),
  reference: z.string(),
  referenceNumber: z.string().nullish(),
  origin: z.string(),
  tests: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  medicare: z.boolean(),
  referralAttachment: z.string().nullable(),
  resultsUuid: z.string().nullable(),
  deletedAt: z.string().nullable(),
});
export type ServiceReferral = z.infer<typeof serviceReferralSchema>;

export const serviceTestSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  shortName: z.string().nullish(),
  price: z.number(),
});
export type ServiceTest = z.infer<typeof serviceTestSchema>;

export const serviceBundleSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  tests: z.array(z.looseObject({ id: z.string(), name: z.string() })),
});
export type ServiceBundle = z.infer<typeof serviceBundleSchema>;

const pageSchema = z.looseObject({
  cursor: z.looseObject({ cursor: z.string().nullish(), resultCount: z.number() }),
});
const tokenSchema = z.looseObject({ access_token: z.string().min(1) });
const anything = z.unknown();

/**
 * The service's own REST interface (interface §4), read with the client credentials that the world was given:
 * an onlooker beside the app, so that nothing has to be believed only because the app says it.
 */
export function createServiceApi(service: ServiceReady) {
  let token: string | undefined;
  const callOnce = jsonCaller(service.base_url, async () => {
    token ??= await fetchToken(service);
    return { accept: ACCEPT, authorization: `Bearer ${token}` };
  });
  const call: CallJson = async (what) => {
    try {
      return await callOnce(what);
    } catch (error) {
      // Somebody may have moved the service's clock past the token's end.
      if (!(error instanceof UnexpectedAnswer && error.status === 401)) throw error;
      token = undefined;
      return callOnce(what);
    }
  };

  /** Walks a list, newest first or oldest first, to its end (interface §4.7). */
  async function* pages<T>(path: string, sort: "asc" | "desc", key: string, entry: z.ZodType<T>) {
    let query = `count=${PAGE_SIZE}&sort=${sort}`;
    for (;;) {
      const page = await call({ path: `${path}?${query}`, answer: pageSchema });
      yield z.array(entry).parse(page[key]);
      const { cursor, resultCount } = page.cursor;
      if (resultCount < PAGE_SIZE || !cursor) return;
      query = `count=${PAGE_SIZE}&sort=${sort}&cursor=${encodeURIComponent(cursor)}`;
    }
  }

  return {
    tests: () => call({ path: "/v1/tests", answer: z.array(serviceTestSchema) }),
    async bundles(): Promise<ServiceBundle[]> {
      const bundles: ServiceBundle[] = [];
      for await (const page of pages("/v1/bundles", "asc", "bundles", serviceBundleSchema))
        bundles.push(...page);
      return bundles;
    },
    referral: (uuid: string) =>
      call({ path: `/v1/referrals/${uuid}`, answer: serviceReferralSchema }),
    /** Newest first, as many as `limit`. */
    async recentReferrals(limit = 200): Promise<ServiceReferral[]> {
      const referrals: ServiceReferral[] = [];
      for await (const page of pages("/v1/referrals", "desc", "referrals", serviceReferralSchema)) {
        referrals.push(...page);
        if (referrals.length >= limit) break;
      }
      return referrals.slice(0, limit);
    },
    result: (uuid: string) =>
      call({ path: `/v1/results/${uuid}`, answer: z.looseObject({ uuid: z.string() }) }),
    /** The laboratory answers with dummy results; staging only (interface §4.2). */
    generateResults: (uuid: string, { partial = false } = {}) =>
      call({
        method: "PUT",
        path: `/v1/referrals/${uuid}${partial ? "?partial" : ""}`,
        answer: serviceReferralSchema,
      }),
    /** Another system of the same organisation orders something (interface §4.2, POST). */
    createReferral: (order: Record<string, unknown>) =>
      call({ method: "POST", path: "/v1/referrals", body: order, answer: anything }),
    deleteReferral: (uuid: string) =>
      call({ method: "DELETE", path: `/v1/referrals/${uuid}`, answer: anything }),
  };
}

async function fetchToken(service: ServiceReady): Promise<string> {
  const address = `${service.auth_url}/oauth/token`;
  const response = await fetch(address, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: service.client_id,
      client_secret: service.client_secret,
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new UnexpectedAnswer(`POST ${address}`, response.status, text);
  return tokenSchema.parse(JSON.parse(text)).access_token;
}
