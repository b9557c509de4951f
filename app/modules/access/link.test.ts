import { expect, test } from "vitest";
import { stopsOf } from "./link.ts";

test("knows whose reminders a link ends, and which links let somebody in", () => {
  expect(stopsOf("buyer_stop")).toBe("buyer");
  expect(stopsOf("patient_stop")).toBe("patient");
  expect(stopsOf("guest")).toBeNull();
  expect(stopsOf("handover")).toBeNull();
});
