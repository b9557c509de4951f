import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppServer, startAppServer } from "../../testing/app-server.ts";
import { fetchOrderRequests, needsStaff, numericOrderId } from "./order-requests.ts";

let server: AppServer;
beforeAll(async () => {
  server = await startAppServer();
});
afterAll(() => server.close());

test("only an order's own global id has a number", () => {
  expect(numericOrderId("gid://shopify/Order/1001")).toBe("1001");
  expect(numericOrderId("gid://shopify/DraftOrder/1001")).toBeNull();
  expect(numericOrderId(undefined)).toBeNull();
});

test("requests are read with the staff member's token, and nothing beyond the agreed fields", async () => {
  server.answer("GET /api/admin/orders/1001/requests", 200, [
    {
      id: "r",
      title: "Iron studies",
      state: "held",
      stateText: "Held",
      nextStep: "Review it",
      needsStaff: true,
      dob: "1980-01-01",
    },
  ]);
  expect(await fetchOrderRequests("1001", async () => "id-token", server.origin)).toEqual({
    ok: true,
    value: [
      {
        ...{ id: "r", title: "Iron studies", state: "held", stateText: "Held" },
        ...{ nextStep: "Review it", needsStaff: true },
      },
    ],
  });
  expect(server.received[0]?.authorization).toBe("Bearer id-token");
});

test("a staff member without a token is asked to sign in; nothing is sent", async () => {
  const before = server.received.length;
  expect(await fetchOrderRequests("1001", async () => null, server.origin)).toEqual({
    ok: false,
    failure: { kind: "signed_out" },
  });
  expect(server.received).toHaveLength(before);
});

test("a test that needs staff stands out, whatever its state", () => {
  expect(needsStaff({ state: "created", needsStaff: true })).toBe(true);
  expect(needsStaff({ state: "ambiguous", needsStaff: false })).toBe(false);
});

test("an app of an earlier version tells the state alone", () => {
  expect(
    ["created", "held", "ambiguous"].map((state) => needsStaff({ state, needsStaff: null })),
  ).toEqual([false, true, true]);
});
