import { expect, test } from "vitest";
import { valueOfInput } from "./app-pages.ts";

test("the value of an input is found by its id, whatever the order of its attributes", () => {
  const page = `<input type="text" id="other" value="no"/>
    <input readonly="" value="http://127.0.0.1:3000/events/a?x=1&amp;y=&#x27;" id="webhook-address-staging"/>`;
  expect(valueOfInput(page, "webhook-address-staging")).toBe(
    "http://127.0.0.1:3000/events/a?x=1&y='",
  );
  expect(valueOfInput(page, "webhook-address-production")).toBeNull();
});
