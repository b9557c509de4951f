import { expect, test } from "vitest";
import type { OrderMail } from "../../modules/notifications/read-mails.ts";
import { presentMail } from "./present-mails.ts";
import { presentCustomer } from "./present-summary.ts";

const MAIL: OrderMail = {
  kinds: ["form_ready"],
  requestIds: ["1"],
  reader: "unknown",
  address: null,
  outcome: { kind: "accepted", at: new Date(0) },
  again: null,
};

test("an email whose address was erased says so; of one test's data that was erased, or an earlier version, only that there is none", () => {
  const to = (isErased: boolean) => presentMail(MAIL, () => null, { isErased }).to;
  expect(to(true)).toBe("To an address that was erased");
  expect(to(false)).toBe("To an address that isn’t recorded");
});

test("an erased order says what becomes of reports that are still to come", () => {
  const of = (owner: "buyer" | "patient") =>
    presentCustomer({ isErased: true, customer: null, requests: [{ request: { owner } }] });
  expect(of("buyer").name).toBe("Customer data erased");
  expect(of("buyer").about).toContain("What the laboratory still reports isn’t stored.");
  expect(of("patient").about).toContain("invited patients stay theirs");
});
