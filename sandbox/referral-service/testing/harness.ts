import { setTimeout as wait } from "node:timers/promises";
import type { ServiceOptions } from "../options.ts";
import { type RunningService, startService } from "../server.ts";
import { tokens } from "../wire/common.ts";
import { referral } from "../wire/referral-wire.ts";
import { result } from "../wire/result-wire.ts";

/** An answer as it came over HTTP. */
export interface Reply {
  status: number;
  body: unknown;
  headers: Headers;
}

export interface CallOptions {
  body?: unknown;
  version?: "1.0.0" | "1.1.0";
  headers?: Record<string, string>;
}

/** A client of one organisation. */
export interface Client {
  accessToken: string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

/** A running service with clients for its seeded organisation. */
export interface Harness extends Client {
  service: RunningService;
  baseUrl: string;
  console(method: string, path: string, body?: unknown, token?: string): Promise<Reply>;
  clientFor(clientId: string, clientSecret: string): Promise<Client>;
  /** An account with its own organisation and API key. */
  newOrganisation(): Promise<{ token: string; client: Client }>;
  stop(): Promise<void>;
}

/** Sends a request and reads the answer, whatever it is. */
export async function send(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: response.status, body, headers: response.headers };
}

/** Asks the token service with a form. */
export function postForm(
  baseUrl: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const body = new URLSearchParams(fields);
  return send(`${baseUrl}/oauth/token`, { method: "POST", body, headers });
}

let accounts = 0;

/** Starts the real server on a free port, in memory unless told otherwise. */
export async function startHarness(options: Partial<ServiceOptions> = {}): Promise<Harness> {
  const service = await startService({
    port: 0,
    data: ":memory:",
    environment: "staging",
    pace: "instant",
    ...options,
  });
  const { baseUrl } = service.addresses;

  const clientFor = async (clientId: string, clientSecret: string): Promise<Client> => {
    const reply = await postForm(baseUrl, {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    });
    const accessToken = tokens.parse(reply.body).access_token;
    const call: Client["call"] = (method, path, { body, version = "1.1.0", headers = {} } = {}) =>
      send(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${accessToken}`,
          accept: `application/vnd.service.v${version}+json`,
          "content-type": "application/json",
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
    return { accessToken, call };
  };

  const console: Harness["console"] = (method, path, body, token = service.seed.consoleToken) =>
    send(`${baseUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  const newOrganisation: Harness["newOrganisation"] = async () => {
    accounts += 1;
    const email = `person-${accounts}@example.com`;
    const { token } = fields(
      await console("POST", "/accounts", { email, password: "long enough" }),
    );
    const as = (method: string, path: string, body?: unknown) =>
      console(method, path, body, String(token));
    await as("PUT", "/profile", { firstName: "Kim", lastName: "Lee", practitionerType: "Other" });
    await as("POST", "/profile/verify");
    await as("POST", "/organisations", { name: "Reef Clinic" });
    await as("PATCH", "/organisation", { billing: "valid" });
    const key = fields(await as("POST", "/api-keys", {}));
    const client = await clientFor(String(key.client_id), String(key.client_secret));
    return { token: String(token), client };
  };

  const seeded = await clientFor(service.seed.clientId, service.seed.clientSecret);
  return {
    ...seeded,
    service,
    baseUrl,
    console,
    clientFor,
    newOrganisation,
    stop: () => service.stop(),
  };
}

/** The fields of an answer that is a JSON object. */
export function fields(reply: Reply): Record<string, unknown> {
  if (typeof reply.body !== "object" || reply.body === null) throw new Error("no JSON object");
  return Object.fromEntries(Object.entries(reply.body));
}

/** A patient and nothing to order. */
export const patient = {
  firstName: "Mia",
  lastName: "Nguyen",
  email: "mia@example.com",
  address: {
    addressLine1: "118 Harbour Street",
    addressLine2: "Level 2",
    postCode: "2000",
    city: "Sydney",
    country: "Australia",
    state: "NSW",
  },
  dob: "1990-02-03",
  gender: "female",
  phone: "0400 000 000",
};

/** A complete order of a commercial referral. */
export const order = { ...patient, tests: ["full-blood-count"], referenceNumber: "ORDER-1" };

/** Orders and returns the one referral; fails on anything else. */
export async function createReferral(client: Client, more: Record<string, unknown> = {}) {
  const reply = await client.call("POST", "/v1/referrals", { body: { ...order, ...more } });
  if (reply.status !== 200) throw new Error(`create answered ${JSON.stringify(reply.body)}`);
  return referral.parse(reply.body);
}

export async function getReferral(client: Client, uuid: string) {
  return referral.parse((await client.call("GET", `/v1/referrals/${uuid}`)).body);
}

export async function getResult(client: Client, uuid: string | null) {
  return result.parse((await client.call("GET", `/v1/results/${uuid}`)).body);
}

/** Asks again until the answer is there; fails after five seconds. */
export async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error("it did not happen within five seconds");
    await wait(5);
  }
}

/** Waits until a referral has reached a status. */
export function reach(client: Client, uuid: string, status: string) {
  return until(async () => {
    const current = await getReferral(client, uuid);
    return current.status === status && current;
  });
}

/** Orders and waits for the form. */
export async function issuedReferral(client: Client, more: Record<string, unknown> = {}) {
  const created = await createReferral(client, more);
  return reach(client, created.uuid, "ISSUED");
}
