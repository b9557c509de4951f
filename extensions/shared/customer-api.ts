import { appUrl } from "./app-url.ts";
import type { Outcome } from "./failure.ts";
import type { PatientDetails } from "./patient-fields.ts";
import { listOf, numeric, oneOf, optional, type Reader, shape, text } from "./read-json.ts";
import {
  type Prefill,
  readPrefill,
  readRequest,
  readRequests,
  type TestRequest,
} from "./requests.ts";
import { type Call, send } from "./send.ts";

/** The app's interface for a signed-in customer; every call answers for this customer only. */
export interface CustomerApi {
  /** All of them, page by page. */
  listRequests(): Promise<Outcome<TestRequest[]>>;
  savePatient(requestId: string, details: PatientDetails): Promise<Outcome<TestRequest>>;
  /** Sends the patient a link of their own. */
  handOver(requestId: string, email: string): Promise<Outcome<TestRequest>>;
  /** Reads the given details, to be corrected. */
  readPatient(requestId: string): Promise<Outcome<Prefill>>;
  /** Takes a unit back whose patient has not come yet; answers the request. */
  revokeInvitation(requestId: string): Promise<Outcome<TestRequest>>;
  /** An address that opens the PDF once, within a minute. */
  openDocument(documentId: string): Promise<Outcome<string>>;
  /** Whom to ask about a test. */
  readHelp(): Promise<Outcome<Help>>;
  /** An address that downloads everything once, within a minute. */
  openExport(): Promise<Outcome<string>>;
  listAccesses(): Promise<Outcome<Access[]>>;
  /** Reads what deleting the data of a test would do. */
  previewErasure(requestId: string): Promise<Outcome<ErasureEffect>>;
  /** `shown`: the effect that was shown. Where it is another by now, nothing is deleted. */
  erase(requestId: string, shown: ErasureEffect): Promise<Outcome<"erased" | "waiting">>;
  /** Withdraws the consent so that nobody opens the results, or shows them again. */
  hideResults(requestId: string, hide: boolean): Promise<Outcome<"hidden" | "shown">>;
  listConsents(): Promise<Outcome<Agreed[]>>;
  /** Makes a link and a passcode to one result, for so many days. */
  shareResult(resultId: string, days: number): Promise<Outcome<Share>>;
  listShares(): Promise<Outcome<Share[]>>;
  endShare(shareId: string): Promise<Outcome<null>>;
  readResult<T>(resultId: string, read: Reader<T>): Promise<Outcome<T>>;
}

/** What was agreed to for a test: the notice’s paragraphs, then the sentence that was ticked. */
const readAgreed = shape({ title: text, version: numeric, givenAt: text, wording: listOf(text) });
export type Agreed = ReturnType<typeof readAgreed>;

/** The one field of an answer that counts. */
const only =
  <T>(name: string, read: Reader<T>): Reader<T> =>
  (value, path) =>
    shape({ [name]: read })(value, path)[name] as T;

const readOpened = only("url", text);

const readHelp = shape({
  shopName: text,
  email: optional(text),
  phone: optional(text),
  /** Dials it; null where it is not clearly one number, or where an app of an earlier version does not say. */
  phoneUrl: optional(text),
  hours: optional(text),
  /** The shop's, as IANA names it. */
  timeZone: optional(text),
});
export type Help = ReturnType<typeof readHelp>;

const readAccess = shape({ at: text, text, title: text });
export type Access = ReturnType<typeof readAccess>;

const readShare = shape({
  id: text,
  resultId: text,
  url: text,
  passcode: text,
  expiresAt: text,
  opens: listOf(shape({ at: text })),
});
export type Share = ReturnType<typeof readShare>;

/** Besides `unsettled`, which is told for what this version does not know, too. */
const EFFECTS = ["not_sent", "deletable", "has_results", "unseen_results", "nothing"] as const;
export type ErasureEffect = (typeof EFFECTS)[number] | "unsettled";
const readEffect = only("effect", oneOf<ErasureEffect>(EFFECTS, "unsettled"));
const readErasure = only("state", oneOf<"erased" | "waiting">(["erased"], "waiting"));

/** `token` gives the customer-account session token; `origin` is where the app is. */
export function createCustomerApi(token: () => Promise<string>, origin = appUrl): CustomerApi {
  const call = <T>(path: string, rest: Omit<Call<T>, "address" | "token">) =>
    send({ address: `${origin}/api/customer${path}`, token, ...rest });
  const part = encodeURIComponent;

  return {
    async listRequests() {
      const all: TestRequest[] = [];
      let query: string | null = "?paged";
      do {
        const page: Outcome<string | null> = await call(`/requests${query}`, {
          read: (value, path, next) => {
            all.push(...readRequests(value, path));
            return next;
          },
        });
        if (!page.ok) return page;
        query = page.value;
      } while (query !== null);
      return { ok: true, value: all };
    },
    savePatient: (requestId, details) =>
      call(`/requests/${part(requestId)}/patient`, {
        method: "PUT",
        body: details,
        read: readRequest,
      }),
    handOver: (requestId, email) =>
      call(`/requests/${part(requestId)}/handover`, {
        method: "POST",
        body: { email },
        read: readRequest,
      }),
    readPatient: (requestId) => call(`/requests/${part(requestId)}/patient`, { read: readPrefill }),
    revokeInvitation: (requestId) =>
      call(`/requests/${part(requestId)}/handover`, { method: "DELETE", read: readRequest }),
    openDocument: (documentId) =>
      call(`/documents/${part(documentId)}/open`, {
        method: "POST",
        read: readOpened,
      }),
    readHelp: () => call("/help", { read: readHelp }),
    openExport: () => call("/export", { method: "POST", read: readOpened }),
    listAccesses: () => call("/access-log", { read: listOf(readAccess) }),
    previewErasure: (requestId) =>
      call(`/requests/${part(requestId)}/erasure?unseen`, {
        read: readEffect,
      }),
    erase: (requestId, effect) =>
      call(`/requests/${part(requestId)}/erasure`, {
        method: "POST",
        body: { effect },
        read: readErasure,
      }),
    hideResults: (requestId, hide) =>
      call(`/requests/${part(requestId)}/hidden`, {
        method: hide ? "PUT" : "DELETE",
        read: () => (hide ? "hidden" : "shown"),
      }),
    listConsents: () => call("/consents", { read: listOf(readAgreed) }),
    shareResult: (resultId, days) =>
      call(`/results/${part(resultId)}/shares`, {
        method: "POST",
        body: { days },
        read: readShare,
      }),
    listShares: () => call("/shares", { read: listOf(readShare) }),
    endShare: (shareId) => call(`/shares/${part(shareId)}`, { method: "DELETE", read: () => null }),
    readResult: (resultId, read) => call(`/results/${part(resultId)}`, { read }),
  };
}
