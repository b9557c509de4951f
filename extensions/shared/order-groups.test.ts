import { expect, test } from "vitest";
import { sampleRequest } from "../testing/sample-request.ts";
import {
  detailsProgress,
  groupByOrder,
  orderNumber,
  requestsOfOrder,
  waitingForDetails,
} from "./order-groups.ts";

const requests = [
  sampleRequest({ id: "c", orderId: "gid://shopify/Order/1002", orderName: "#1002" }),
  sampleRequest({ id: "a" }),
  sampleRequest({
    id: "d",
    orderId: "gid://shopify/Order/1002",
    orderName: "#1002",
    state: "form_ready",
  }),
  sampleRequest({ id: "b", state: "results_ready" }),
];

test("an order is recognised by its number, whatever the host calls its type", () => {
  expect(orderNumber("gid://shopify/OrderIdentity/1001")).toBe(
    orderNumber("gid://shopify/Order/1001"),
  );
  expect(orderNumber("gid://shopify/Order/1001?key=abc9")).toBe("1001");
  expect(requestsOfOrder(requests, "gid://shopify/OrderIdentity/1001").map(({ id }) => id)).toEqual(
    ["a", "b"],
  );
});

test("an order whose number merely ends alike is another order", () => {
  expect(requestsOfOrder(requests, "gid://shopify/Order/01")).toEqual([]);
  expect(requestsOfOrder(requests, "gid://shopify/Order/21001")).toEqual([]);
});

test("orders stay in the sequence in which the app lists them", () => {
  expect(
    groupByOrder(requests).map(({ orderName, requests }) => [
      orderName,
      requests.map(({ id }) => id),
    ]),
  ).toEqual([
    ["#1002", ["c", "d"]],
    ["#1001", ["a", "b"]],
  ]);
});

test("only requests that wait for the customer are counted", () => {
  expect(waitingForDetails(requests)).toBe(2);
});

test("counts tests that need details among those of their orders, without cancelled ones", () => {
  const { needed, of, next } = detailsProgress([
    ...requests,
    sampleRequest({ id: "e", state: "cancelled" }),
    sampleRequest({ id: "f", orderId: "gid://shopify/Order/1003", state: "form_ready" }),
  ]);
  expect({ needed, of, next: next.map(({ id }) => id) }).toEqual({
    needed: 2,
    of: 4,
    next: ["c", "a"],
  });
});
