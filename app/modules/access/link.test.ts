import { expect, test } from "vitest";
import { MAIL_UNRECORDED_MS, stopsOf } from "./link.ts";

test("knows whose reminders a link ends, and which links let somebody in", () => {
  expect(stopsOf("buyer_stop")).toBe("buyer");
  expect(stopsOf("patient_stop")).toBe("patient");
  expect(stopsOf("guest")).toBeNull();
  expect(stopsOf("handover")).toBeNull();
});

test("counts a link without a record of its mail as mailed after five minutes", () => {
  expect(MAIL_UNRECORDED_MS).toBe(300_000);
});
