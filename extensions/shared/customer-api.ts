import { appUrl } from "./app-url.ts";
import type { Outcome } from "./failure.ts";
import type { PatientDetails } from "./patient-fields.ts";
import { type Reader, shape, text } from "./read-json.ts";
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
  listRequests(): Promise<Outcome<TestRequest[]>>;
  savePatient(requestId: string, details: PatientDetails): Promise<Outcome<TestRequest>>;
  /** Sends the patient a link of their own. */
  handOver(requestId: string, email: string): Promise<Outcome<TestRequest>>;
  /** Reads the given details, to be corrected. */
  readPatient(requestId: string): Promise<Outcome<Prefill>>;
  /** Takes a unit back whose patient has not come yet; answers the request. */
  takeBack(requestId: string): Promise<Outcome<TestRequest>>;
  /** An address that opens the PDF once, within a minute. */
  openDocument(documentId: string): Promise<Outcome<string>>;
  readResult<T>(resultId: string, read: Reader<T>): Promise<Outcome<T>>;
}

const readOpened = shape({ url: text });

/** `token` gives the customer-account session token; `origin` is where the app is. */
export function createCustomerApi(token: () => Promise<string>, origin = appUrl): CustomerApi {
  const call = <T>(path: string, rest: Omit<Call<T>, "address" | "token">) =>
    send({ address: `${origin}/api/customer${path}`, token, ...rest });
  const part = encodeURIComponent;

  return {
    listRequests: () => call("/requests", { read: readRequests }),
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
    takeBack: (requestId) =>
      call(`/requests/${part(requestId)}/handover`, { method: "DELETE", read: readRequest }),
    openDocument: (documentId) =>
      call(`/documents/${part(documentId)}/open`, {
        method: "POST",
        read: (value, path) => readOpened(value, path).url,
      }),
    readResult: (resultId, read) => call(`/results/${part(resultId)}`, { read }),
  };
}
