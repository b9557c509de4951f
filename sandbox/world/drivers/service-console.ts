import { z } from "zod";
import type { ServiceReady } from "../ready-lines.ts";
import { bearer, inPath, jsonCaller } from "./http.ts";

export type SigningScheme =
  | "standard-webhooks"
  | "hmac-hex"
  | "hmac-base64"
  | "shared-secret"
  | "none";

/** Body of PUT /webhook. */
export interface WebhookSettings {
  url: string;
  secret?: string;
  scheme?: SigningScheme;
  header?: string;
  shape?: "flat" | "nested" | "resource" | "header";
  previousSecret?: string;
}

/** Body of POST /provider-numbers. */
export interface ProviderNumber {
  providerNumber: string;
  name: string;
  address: string;
  signature: boolean;
}

/** How often a fault happens: always or never, a rate up to 1, or so many times. */
export type FaultRate = boolean | number;

/** Body of PUT /faults; what is absent is off. */
export interface ServiceFaults {
  createDelayMs?: number;
  createCommitThenDrop?: FaultRate;
  createCommitThenError?: FaultRate;
  createDropBeforeCommit?: FaultRate;
  createLateCommitMs?: number;
  /** Share of the API's calls that are answered 500 before anything happens. */
  errorRate?: number;
  rateLimit?: { limit: number; windowMs: number };
  staleListMs?: number;
  attachmentStatus?: number;
  /** PDFs are signed under another host name. */
  attachmentHost?: "other";
  /** A form is drawn at each download, with another time of day. */
  formsDrawnAnew?: boolean;
  /** The organisation has this version of the interface only. */
  onlyVersion?: "1.0.0";
  /** The token service takes credentials in the body only. */
  basicRefused?: boolean;
  /** Results have no report until so long after they arrived. */
  reportLateMs?: number;
  /** The lists begin with somebody else's referral whose practitioner's address is an object. */
  foreignReferral?: "address-object";
  /** Results name another person than the one they were ordered for. */
  wrongPerson?: boolean;
  /** DELETE is refused for a reason of the service's own. */
  deleteRefused?: boolean;
  /** The laboratory reports in the moment in which a referral is deleted. */
  resultsAtDelete?: boolean;
  /** Results say that they were deleted. */
  resultsDeleted?: boolean;
  webhooks?: {
    drop?: FaultRate;
    duplicate?: FaultRate;
    reorder?: FaultRate;
    delayMs?: number;
  };
}

/** Body of PATCH /organisation. */
export interface OrganisationChange {
  name?: string;
  billing?: "valid" | "declined" | "none";
  holdResultsForReview?: boolean;
  requirePatientVerification?: boolean;
}

/** Body of POST /referrals/{uuid}/results, the lab bench. */
export interface LabAnswer {
  partial?: boolean;
  abnormal?: boolean;
  critical?: boolean;
  seed?: number | string;
}

const serviceStatsSchema = z.looseObject({
  /** How often each method and path was called. */
  calls: z.record(z.string(), z.number()),
  /** How many referrals each caller's reference number has. */
  referralsByReferenceNumber: z.record(z.string(), z.number()),
  openConnections: z.number(),
});

const anything = z.unknown();
const deliveries = z.array(z.looseObject({ id: z.union([z.string(), z.number()]) }));
const apiKey = z.looseObject({ client_id: z.string(), client_secret: z.string() });

/** The service's web application as JSON, `{app_url}/api` of docs/sandbox.md §1: what people do there, as calls. */
export function createServiceConsole(service: ServiceReady) {
  const call = jsonCaller(`${service.app_url}/api`, bearer(service.console_token));
  const send = (method: "POST" | "PUT" | "PATCH", path: string, body: unknown = {}) =>
    call({ method, path, body, answer: anything });
  return {
    organisation: () => call({ path: "/organisation", answer: z.looseObject({}) }),
    changeOrganisation: (change: OrganisationChange) => send("PATCH", "/organisation", change),
    createApiKey: (integration: "store" | "api" = "store") =>
      call({ method: "POST", path: "/api-keys", body: { integration }, answer: apiKey }),
    setWebhook: (settings: WebhookSettings) => send("PUT", "/webhook", settings),
    deliveries: () => call({ path: "/deliveries", answer: deliveries }),
    redeliver: (id: string) => send("POST", `/deliveries/${inPath(id)}/redeliver`),
    addProviderNumber: (provider: ProviderNumber) => send("POST", "/provider-numbers", provider),
    verifyReferral: (uuid: string) => send("POST", `/referrals/${uuid}/verify`),
    setStatus: (uuid: string, status: string) =>
      send("POST", `/referrals/${uuid}/status`, { status }),
    sendResults: (uuid: string, answer: LabAnswer = {}) =>
      send("POST", `/referrals/${uuid}/results`, answer),
    releaseResult: (uuid: string) => send("POST", `/results/${uuid}/release`),
    setFaults: (faults: ServiceFaults) => send("PUT", "/faults", faults),
    advanceClock: (advanceSeconds: number) => send("POST", "/clock", { advanceSeconds }),
    stats: () => call({ path: "/stats", answer: serviceStatsSchema }),
  };
}
