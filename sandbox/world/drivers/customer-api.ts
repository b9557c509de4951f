import { createHash } from "node:crypto";
import { z } from "zod";
import { inPath, jsonCaller, UnexpectedAnswer } from "./http.ts";

const customerDocumentSchema = z.looseObject({
  id: z.string(),
  kind: z.enum(["referral", "result"]),
  version: z.number().int(),
  partial: z.boolean(),
  part: z.string().nullish(),
});

export const customerRequestSchema = z.looseObject({
  id: z.string(),
  orderId: z.string(),
  orderName: z.string(),
  title: z.string(),
  state: z.string(),
  nextStep: z.unknown(),
  documents: z.array(customerDocumentSchema),
  resultId: z.string().nullish(),
  /** The two referrals of a unit, each with its result; null where the unit has one. */
  parts: z
    .array(z.looseObject({ part: z.string(), state: z.string(), resultId: z.string().nullish() }))
    .default([]),
});
export type CustomerRequest = z.infer<typeof customerRequestSchema>;

/** Body of PUT /api/customer/requests/{id}/patient. */
export interface PatientDetails {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** YYYY-MM-DD */
  dob: string;
  gender: "male" | "female";
  address: {
    addressLine1: string;
    addressLine2?: string;
    city: string;
    state: string;
    postCode: string;
    country: string;
  };
  consent: true;
  medicareCardNumber?: string;
  dvaNumber?: string;
}

export interface Pdf {
  bytes: number;
  sha256: string;
}

export type CustomerApi = ReturnType<typeof createCustomerApi>;

/**
 * The app's customer interface, {app_url}/api/customer of docs/sandbox.md §4, as one signed-in customer.
 * `mintToken` is asked before every call, since customer tokens live for minutes only.
 */
export function createCustomerApi(appUrl: string, mintToken: () => Promise<string>) {
  const base = `${appUrl}/api/customer`;
  const headers = async () => ({ authorization: `Bearer ${await mintToken()}` });
  const call = jsonCaller(base, headers);
  const fetchStatus = async (path: string) => {
    const response = await fetch(`${base}${path}`, { headers: await headers() });
    await response.body?.cancel();
    return response.status;
  };
  return {
    requests: () => call({ path: "/requests", answer: z.array(customerRequestSchema) }),
    giveDetails: (requestId: string, patient: PatientDetails) =>
      call({
        method: "PUT",
        path: `/requests/${inPath(requestId)}/patient`,
        body: patient,
        answer: customerRequestSchema,
      }),
    handOver: (requestId: string, email: string) =>
      call({
        method: "POST",
        path: `/requests/${inPath(requestId)}/handover`,
        body: { email },
        answer: z.unknown(),
      }),
    /** Fetches a document and makes sure that it is a PDF from its first to its last bytes. */
    openPdf: async (documentId: string): Promise<Pdf> => {
      const address = `${base}/documents/${inPath(documentId)}`;
      const response = await fetch(address, { headers: await headers() });
      const bytes = Buffer.from(await response.arrayBuffer());
      const wholePdf =
        bytes.subarray(0, 5).toString("latin1") === "%PDF-" &&
        bytes.subarray(-32).toString("latin1").includes("%%EOF");
      if (!response.ok || !wholePdf)
        throw new UnexpectedAnswer(`GET ${address}`, response.status, "no complete PDF");
      return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
    result: (resultId: string) =>
      call({ path: `/results/${inPath(resultId)}`, answer: z.looseObject({}) }),
    /** The result as a FHIR bundle. */
    fhir: (resultId: string) =>
      call({
        path: `/results/${inPath(resultId)}/fhir`,
        answer: z.looseObject({ entry: z.array(z.looseObject({ resource: z.looseObject({}) })) }),
      }),
    /** Status only, for what must be refused. */
    documentStatus: (documentId: string) => fetchStatus(`/documents/${inPath(documentId)}`),
    resultStatus: (resultId: string) => fetchStatus(`/results/${inPath(resultId)}`),
  };
}
