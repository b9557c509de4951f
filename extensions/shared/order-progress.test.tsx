import { expect, test } from "vitest";
import { hostOfLocale } from "../testing/host-of-locale.ts";
import { all, one, renderInto } from "../testing/render.tsx";
import { sampleRequest } from "../testing/sample-request.ts";
import { OrderProgress } from "./order-progress.tsx";

/** An order of so many tests, of which the first ones have their details. */
const show = (tests: number, given: number) =>
  renderInto(
    hostOfLocale("order-tests"),
    "https://app.example",
    <OrderProgress
      requests={Array.from({ length: tests }, (_, unit) =>
        sampleRequest({ id: `u${unit}`, state: unit < given ? "form_ready" : "awaiting_details" }),
      )}
    />,
  );

test("says for how many of an order's tests details are still needed", () => {
  one(show(12, 3), "s-text", "Details needed for 9 of 12 tests");
});

test.each([
  ["an order whose tests all have their details", 12, 12],
  ["an order of one test, which says so itself", 1, 0],
])("says nothing of %s", (_, tests, given) => {
  expect(all(show(tests, given), "s-text")).toEqual([]);
});
