import { expect, it } from "vitest";
import { protectedDataApproval } from "../graphql/protected-data.ts";
import { redactPayload } from "./redact-payload.ts";

const order = {
  name: "#1001",
  email: "a@example.com",
  phone: null,
  customer: {
    first_name: "Ava",
    last_name: "Nguyen",
    email: "a@example.com",
    default_address: {
      first_name: "Ava",
      name: "Ava Nguyen",
      city: "Sydney",
      province_code: "NSW",
    },
  },
  line_items: [{ name: "Iron Studies" }],
};

it("leaves an approved app's payload as it is", () => {
  expect(redactPayload(order, protectedDataApproval.parse({}))).toBe(order);
});

it("empties what is not approved and nothing else", () => {
  const approval = protectedDataApproval.parse({ name: false, address: false });
  expect(redactPayload(order, approval)).toEqual({
    name: "#1001",
    email: "a@example.com",
    phone: null,
    customer: {
      first_name: null,
      last_name: null,
      email: "a@example.com",
      default_address: { first_name: null, name: null, city: null, province_code: "NSW" },
    },
    line_items: [{ name: "Iron Studies" }],
  });
});
