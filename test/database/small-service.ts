import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { wireReferral } from "../../app/clients/referral-service/testing/wire-samples.ts";

/** The service's behaviour for one create call. */
export type CreateBehaviour =
  | "create"
  /** Only one of the two referrals of a Medicare order. */
  | "create_half"
  | "create_medicare_half"
  | "reject"
  | "unauthorized"
  | "error_before"
  | "error_after"
  | "reset_before"
  | "reset_after"
  | "hang_before"
  | "hang_after"
  /** Breaks off, and creates only when `finishLate` is called. */
  | "late";

const order = z.looseObject({
  referenceNumber: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  tests: z.array(z.string()).optional(),
  medicareTests: z.array(z.string()).optional(),
});
type Order = z.infer<typeof order>;

export interface SmallService {
  url: string;
  /** Sets the behaviour of the next create calls, in order; afterwards each one creates. */
  next(...behaviours: CreateBehaviour[]): void;
  /** How far its clock is behind. */
  clockBehindMs: number;
  /** Whether the list answers. */
  listWorks: boolean;
  /** With which status it answers when it does not work. */
  listFailure: number;
  /** With which status it answers where one referral is asked for; null: with the referral. */
  readFailure: number | null;
  /** Whether it never answers where one referral is asked for. */
  readsHang: boolean;
  /** The referrals that were asked for one by one, each as often as it was. */
  reads: string[];
  /** Pages of the list that were asked for. */
  pages: number;
  /** The tests that can be ordered, each with its price in cents. */
  tests: { id: string; name: string; price: number }[];
  /** Referrals in the list that are not shown yet. */
  hidden: Set<string>;
  /** All create calls that came, and all referrals that exist. */
  calls: Order[];
  referrals: Record<string, unknown>[];
  /** Patients' details as PATCH calls brought them, with the referral each was for. */
  patches: { uuid: string; body: Record<string, unknown> }[];
  /** Whether PATCH is refused, whatever the referral's status is. */
  patchesAreRefused: boolean;
  /** Whether DELETE is taken. */
  deletes: boolean;
  /** The status that a gateway before it answers PATCH and DELETE with; null lets them through. */
  gatewayRefusal: number | null;
  /** Referrals that DELETE calls were for, and of those that were not taken. */
  deletions: string[];
  refusedDeletions: string[];
  /** Changes one referral, as what happens at the service does. */
  set(uuid: string, fields: Record<string, unknown>): void;
  /** Lets the `late` create calls create now. */
  finishLate(): void;
  close(): void;
}

/**
 * A referral service of one page of code: it creates, lists and fails on request. Enough to hold the ledger
 * against; the whole interface is in sandbox/referral-service.
 */
export async function startSmallService(now: () => Date): Promise<SmallService> {
  const upcoming: CreateBehaviour[] = [];
  const late: Order[] = [];
  let ticks = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? "", "http://service");
    const uuid = url.pathname.split("/")[3];
    if (url.pathname === "/oauth/token") answer(response, 200, tokens());
    else if (/^\/v1\/(tests|bundles)$/.test(url.pathname)) catalogue(response, url.pathname);
    else if (service.gatewayRefusal && /PATCH|DELETE/.test(request.method ?? ""))
      response.writeHead(service.gatewayRefusal).end("<h1>No route</h1>");
    else if (uuid && request.method === "DELETE") remove(response, uuid);
    else if (uuid && request.method === "PATCH")
      patch(response, uuid, JSON.parse(String(Buffer.concat(chunks))));
    else if (request.method === "POST") create(response, JSON.parse(String(Buffer.concat(chunks))));
    else if (uuid && service.reads.push(uuid) && service.readsHang) return;
    else if (uuid && service.readFailure)
      answer(response, service.readFailure, { error: true, code: "INTERNAL" });
    else if (uuid) one(response, uuid);
    else if (url.pathname === "/v1/results") noResults(response);
    else list(response, Number(url.searchParams.get("cursor") ?? 0));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const service: SmallService = {
    url: `http://127.0.0.1:${port}`,
    next: (...behaviours) => void upcoming.push(...behaviours),
    clockBehindMs: 0,
    listWorks: true,
    listFailure: 500,
    readFailure: null,
    readsHang: false,
    reads: [],
    pages: 0,
    tests: [{ id: "fbc", name: "Full blood count", price: 1_250 }],
    hidden: new Set(),
    calls: [],
    referrals: [],
    patches: [],
    patchesAreRefused: false,
    deletes: true,
    gatewayRefusal: null,
    deletions: [],
    refusedDeletions: [],
    set: (uuid, fields) => {
      const found = service.referrals.find((referral) => referral.uuid === uuid);
      if (!found) throw new Error("The service has no such referral");
      ticks++;
      Object.assign(found, { updatedAt: new Date(now().getTime() + ticks).toISOString() }, fields);
    },
    finishLate: () => {
      for (const one of late.splice(0)) add(one, "late");
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  function add(asked: Order, behaviour: CreateBehaviour) {
    const { referenceNumber, metadata, tests, medicareTests } = asked;
    const { firstName, lastName, email, phone, dob, gender, address } = asked;
    const at = new Date(now().getTime() - service.clockBehindMs).toISOString();
    const kinds = [
      ...(tests && behaviour !== "create_medicare_half" ? [false] : []),
      ...(medicareTests && behaviour !== "create_half" ? [true] : []),
    ];
    const made = kinds.map((medicare) =>
      wireReferral({
        uuid: randomUUID(),
        referenceNumber,
        metadata,
        person: { firstName, lastName, email, phone, dob, gender, address },
        medicare,
        createdAt: at,
        updatedAt: at,
      }),
    );
    service.referrals.unshift(...made);
    return made;
  }

  function create(response: ServerResponse, body: unknown): void {
    const asked = order.parse(body);
    service.calls.push(asked);
    const behaviour = upcoming.shift() ?? "create";
    const creates = behaviour.startsWith("create") || behaviour.endsWith("_after");
    const made = creates ? add(asked, behaviour) : [];
    if (behaviour === "late") late.push(asked);
    switch (behaviour) {
      case "create":
      case "create_half":
      case "create_medicare_half":
        answer(response, 200, made);
        break;
      case "reject":
        answer(response, 400, { error: true, code: "INVALID_PAYLOAD", message: "no" });
        break;
      case "unauthorized":
        answer(response, 401, { error: true, code: "INVALID_JWT", message: "" });
        break;
      case "error_before":
      case "error_after":
        answer(response, 500, { error: true, code: "INTERNAL" });
        break;
      case "late":
      case "reset_before":
      case "reset_after":
        response.destroy();
        break;
      case "hang_before":
      case "hang_after":
        break;
    }
  }

  function one(response: ServerResponse, uuid: string): void {
    const found = service.referrals.find((referral) => referral.uuid === uuid);
    if (found) answer(response, 200, found);
    else answer(response, 404, { error: true, code: "REFERRAL_NOT_FOUND", message: "" });
  }

  function remove(response: ServerResponse, uuid: string): void {
    const found = service.referrals.find((referral) => referral.uuid === uuid);
    if (!service.deletes) {
      service.refusedDeletions.push(uuid);
      answer(response, 400, { error: true, code: "INVALID_PARAMETER", message: "no" });
      return;
    }
    service.deletions.push(uuid);
    // The interface §3: neither status nor updatedAt change.
    if (found) Object.assign(found, { deletedAt: now().toISOString(), referralAttachment: null });
    one(response, uuid);
  }

  function patch(response: ServerResponse, uuid: string, body: Record<string, unknown>): void {
    const found = service.referrals.find((referral) => referral.uuid === uuid);
    service.patches.push({ uuid, body });
    if (
      service.patchesAreRefused ||
      !found ||
      found.deletedAt ||
      !/^(CREATED|ISSUED)$/.test(String(found.status))
    )
      answer(response, 400, { error: true, code: "INVALID_PARAMETER", message: "no" });
    else {
      service.set(uuid, { status: "SCHEDULED_REISSUE" });
      answer(response, 200, found);
    }
  }

  function catalogue(response: ServerResponse, path: string): void {
    const { listWorks, listFailure, tests } = service;
    const cursor = { cursor: null, count: 20, resultCount: 0 };
    if (!listWorks) answer(response, listFailure, { error: true, code: "INTERNAL" });
    else if (path === "/v1/bundles") answer(response, 200, { cursor, bundles: [] });
    else
      answer(
        response,
        200,
        tests.map((test) => ({ ...test, object: "test" })),
      );
  }

  function list(response: ServerResponse, from: number): void {
    service.pages++;
    const shown = service.referrals.filter(({ uuid }) => !service.hidden.has(String(uuid)));
    const referrals = shown.slice(from, from + 20);
    const cursor = { cursor: String(from + 20), count: 20, resultCount: referrals.length };
    if (service.listWorks) answer(response, 200, { cursor, referrals });
    else answer(response, service.listFailure, { error: true, code: "INTERNAL" });
  }

  function noResults(response: ServerResponse): void {
    service.pages++;
    if (!service.listWorks)
      answer(response, service.listFailure, { error: true, code: "INTERNAL" });
    else answer(response, 200, { cursor: { cursor: "", count: 20, resultCount: 0 }, results: [] });
  }

  return service;
}

const tokens = () => ({
  access_token: "access",
  refresh_token: "refresh",
  token_type: "Bearer",
  expires_in: 3600,
  refresh_expires_in: 2_592_000,
});

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
