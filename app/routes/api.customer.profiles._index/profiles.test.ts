/** The calls as the extension makes them, with the tokens of an account, of another one and of a mailed link. */
import { randomUUID } from "node:crypto";
import type { AppLoadContext } from "@remix-run/node";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startInvitation } from "../../../test/database/invitation.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import { listAccesses } from "../../modules/access/list-accesses.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { MAX_SAVED_PATIENTS } from "../../modules/patients/saved-patient.ts";
import { createLogger } from "../../platform/logger.ts";
import { writeToken } from "../../web/customer-interface/token.ts";
import { action as changeOne, loader as readOne } from "../api.customer.profiles.$id.ts";
import { loader as readAll } from "./route.ts";

const db = await openTestDatabase();
const CARD = "2123456701";
let world: Awaited<ReturnType<typeof startInvitation>>;
beforeEach(async () => {
  world = await startInvitation(db);
});

const noted: unknown[] = [];
const ACCOUNTS: Record<string, number> = { "Bearer buyer": 7, "Bearer stranger": 8 };

/** Makes one call and reads its answer. */
async function call(
  method: "GET" | "PUT" | "DELETE",
  id: string | null,
  { as = "buyer", body }: { as?: string; body?: unknown } = {},
) {
  const { shop, ports } = world;
  const context = {
    app: {
      ports: { ...ports, logger: createLogger("silent") },
      refusals: { note: (...call: unknown[]) => void noted.push(call) },
      customerAuth: async (authorization: string | null) => {
        const number = ACCOUNTS[authorization ?? ""];
        return number ? { shop, customerId: gid("Customer", number) } : null;
      },
    },
  } as unknown as AppLoadContext;
  const request = new Request("https://app.example/api/customer/profiles", {
    method,
    headers: { authorization: `Bearer ${as}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const args = { request, context, params: id === null ? {} : { id } };
  const answer = await (id === null ? readAll : method === "GET" ? readOne : changeOne)(args);
  const text = await answer.text();
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}
const put = (id: string, body: unknown, as?: string) => call("PUT", id, { body, as });
const rows = async () =>
  (await db.pool.query("SELECT * FROM saved_patients WHERE shop = $1", [world.shop])).rows;
const keys = async () =>
  (
    await db.pool.query(
      "SELECT subject FROM data_keys WHERE shop = $1 AND subject LIKE 'patient %'",
      [world.shop],
    )
  ).rowCount;

describe("a signed-in customer", () => {
  test("saves, reads, replaces and deletes somebody's details, which are sealed", async () => {
    const id = randomUUID();
    const saved = { id, ...PATIENT, medicareCardNumber: CARD };
    expect(await put(id.toUpperCase(), { ...PATIENT, medicareCardNumber: CARD })).toEqual({
      status: 200,
      body: saved,
    });
    expect(await call("GET", null)).toEqual({ status: 200, body: [saved] });
    expect(await call("GET", id)).toEqual({ status: 200, body: saved });
    const [row] = await rows();
    const stored = `${JSON.stringify(row)} ${row.details_sealed.toString("latin1")}`;
    for (const secret of ["Citizen", "1990-01-02", CARD]) expect(stored).not.toContain(secret);

    const moved = { ...PATIENT, lastName: "Walsh" };
    expect(await put(id, { ...moved, consent: false })).toEqual({
      status: 200,
      body: { id, ...moved },
    });
    expect(await call("GET", null)).toMatchObject({ body: [{ lastName: "Walsh" }] });
    expect(await rows()).toHaveLength(1);

    expect(await call("DELETE", id)).toEqual({ status: 204, body: null });
    expect(await call("GET", id)).toMatchObject({ status: 404 });
    expect(await call("DELETE", id)).toMatchObject({ status: 404 });
    expect(await call("GET", null)).toEqual({ status: 200, body: [] });
    expect([await rows(), await keys()]).toEqual([[], 0]);
  });

  test("can use an id again that was deleted, under another key", async () => {
    const id = randomUUID();
    await put(id, PATIENT);
    const [before] = await rows();
    await call("DELETE", id);
    await put(id, PATIENT);
    const [after] = await rows();
    expect(after.key_id).not.toBe(before.key_id);
    expect(await call("GET", id)).toMatchObject({ status: 200, body: { lastName: "Citizen" } });
  });

  test("is told of every fault of the form, and nothing is saved", async () => {
    const faulty = { ...PATIENT, email: "no", dob: "2020-01-01", medicareCardNumber: "123" };
    const answer = await put(randomUUID(), faulty);
    expect(answer.status).toBe(422);
    const { errors } = answer.body as { errors: { field: string; message: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(["dob", "email", "medicareCardNumber"]);
    expect(errors[0]?.message).toContain("at least 18 years old");
    expect((await put(randomUUID(), null)).body).toMatchObject({
      errors: expect.arrayContaining([{ field: "firstName", message: "Enter the first name." }]),
    });
    expect((await put(randomUUID(), { ...PATIENT, dvaNumber: "NX123456" })).body).toEqual({
      errors: [{ field: "medicareCardNumber", message: "Enter the Medicare card number." }],
    });
    expect(await put("no-id", PATIENT)).toMatchObject({ status: 404 });
    expect(await rows()).toEqual([]);
  });

  test("keeps twenty people, and can still change each of them", async () => {
    const ids = Array.from({ length: MAX_SAVED_PATIENTS }, () => randomUUID());
    for (const id of ids) expect(await put(id, PATIENT)).toMatchObject({ status: 200 });
    expect(await put(randomUUID(), PATIENT)).toEqual({
      status: 409,
      body: { error: "You can save 20 people. Delete one of them first." },
    });
    expect(await put(ids[3] ?? "", PATIENT)).toMatchObject({ status: 200 });
    expect(await rows()).toHaveLength(MAX_SAVED_PATIENTS);
  });

  test("keeps no more than that when many calls come at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_SAVED_PATIENTS + 4 }, () => put(randomUUID(), PATIENT)),
    );
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    expect(await rows()).toHaveLength(MAX_SAVED_PATIENTS);
  });

  test("sees in the access log who opened and changed the saved details", async () => {
    const id = randomUUID();
    await put(id, PATIENT);
    await put(id, PATIENT);
    await call("GET", id);
    const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
    const seen = await listAccesses(world.ports, { shop: world.shop, viewer });
    expect(seen.map(({ who, what, title }) => [who, what, title])).toEqual(
      ["saved_patient_viewed", "saved_patient_changed", "saved_patient_added"].map((what) => [
        ...["customer", what, "Saved details of Ada C."],
      ]),
    );
    const ofShop = await db.tenancy.inShop(world.shop, (tenant) => tenant.accessLog.ofShop(50));
    expect(ofShop).toEqual([]);
  });
});

describe("everybody else", () => {
  test("changes nothing while another store has the name, whose accounts these are", async () => {
    const id = randomUUID();
    const identify = (store: number) =>
      db.tenancy.inShop(world.shop, ({ shops }) =>
        shops.identify(`gid://shopify/Shop/${world.shop} ${store}`),
      );
    await identify(1);
    await put(id, PATIENT);
    await identify(2);
    const answers = [await put(randomUUID(), PATIENT, "stranger"), await call("DELETE", id)];
    for (const answer of answers)
      expect(answer).toEqual({
        status: 503,
        body: { error: expect.stringMatching(/^Nothing was saved or changed: another store/) },
      });
    expect(noted).toEqual([
      ["customer_token", world.shop],
      ["customer_token", world.shop],
    ]);
    expect(await rows()).toMatchObject([{ customer_id: gid("Customer", 7) }]);
    expect(await call("GET", null, { as: "stranger" })).toEqual({ status: 200, body: [] });
    await identify(1);
    expect(await call("DELETE", id)).toMatchObject({ status: 204 });
  });

  test("finds nothing of a customer's, and changes nothing", async () => {
    const id = randomUUID();
    await put(id, PATIENT);
    const other = { ...PATIENT, lastName: "Stranger" };
    for (const method of ["GET", "DELETE"] as const)
      expect(await call(method, id, { as: "stranger" })).toMatchObject({ status: 404 });
    expect(await put(id, other, "stranger")).toMatchObject({ status: 404 });
    expect(await call("GET", null, { as: "stranger" })).toEqual({ status: 200, body: [] });
    expect(await call("GET", id)).toMatchObject({ status: 200, body: { lastName: "Citizen" } });
    for (const as of ["nobody", ""])
      expect(await call("GET", null, { as })).toMatchObject({ status: 401 });
  });

  test("has no saved patients with the token of a mailed link", async () => {
    await world.send();
    await world.runJobs();
    const as = writeToken(world.shop, world.token(world.mails.at(-1)));
    expect(await call("GET", null, { as })).toMatchObject({ status: 404 });
    expect(await put(randomUUID(), PATIENT, as)).toMatchObject({ status: 404 });
    expect(await rows()).toEqual([]);
  });

  test("of another shop can use the same id for their own", async () => {
    const id = randomUUID();
    await put(id, PATIENT);
    const first = world;
    world = await startInvitation(db);
    expect(await call("GET", id)).toMatchObject({ status: 404 });
    expect(await put(id, { ...PATIENT, lastName: "Walsh" })).toMatchObject({ status: 200 });
    world = first;
    expect(await call("GET", id)).toMatchObject({ body: { lastName: "Citizen" } });
  });
});
