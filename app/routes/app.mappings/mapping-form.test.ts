import { expect, test } from "vitest";
import { readMappingForm } from "./mapping-form.ts";

function read(fields: Record<string, string>) {
  const data = new FormData();
  for (const [name, value] of Object.entries({ ...variant, ...fields })) data.set(name, value);
  return readMappingForm(data);
}

const variant = {
  intent: "save",
  variantId: "gid://shopify/ProductVariant/2",
  productId: "gid://shopify/Product/1",
  kind: "order",
};
const practitioner = {
  practitionerName: "Dr Priya Raman",
  practitionerAddress: "12 Collins Street, Melbourne VIC 3000",
  practitionerProviderNumber: "242662 1b",
};

test("ids with commas between them become a list without repetitions", () => {
  const reading = read({ bundleId: "b", tests: "iron, tsh,,iron" });
  expect(reading.kind === "valid" && reading.mappingIn("staging")).toEqual({
    environment: "staging",
    variantId: variant.variantId,
    productId: variant.productId,
    kind: "order",
    items: { bundleId: "b", tests: ["iron", "tsh"], medicareTests: [], practitioner: null },
  });
});

test("the form's own environment comes before the one that is in use", () => {
  const reading = read({ tests: "iron", environment: "production" });
  expect(reading.kind === "valid" && reading.mappingIn("staging").environment).toBe("production");
});

test("carries nothing else for a product that is not a test", () => {
  const reading = read({ kind: "ignored", tests: "iron", medicareTests: "iron" });
  expect(reading.kind === "valid" && reading.mappingIn("staging")).not.toHaveProperty("items");
});

test("Medicare tests need the whole practitioner, each field with its fault", () => {
  const typed = { practitionerName: "", practitionerAddress: " " };
  const reading = read({ medicareTests: "iron", ...typed });
  expect(reading).toMatchObject({
    kind: "invalid",
    errors: {
      practitionerName: expect.any(String),
      practitionerAddress: expect.any(String),
      practitionerProviderNumber: expect.any(String),
    },
  });
});

test("a preparation counts a line's end once, and an empty one takes it away", () => {
  const long = `${"x".repeat(998)}\r\ny`;
  const preparationOf = (preparation: string) => {
    const reading = read({ tests: "iron", preparation });
    if (reading.kind === "invalid") return reading.errors;
    const mapping = reading.mappingIn("staging");
    return mapping.kind === "order" && mapping.preparation;
  };
  expect(preparationOf(long)).toBe(`${"x".repeat(998)}\ny`);
  expect(preparationOf(`${long}z`)).toEqual({ preparation: "At most 1,000 characters." });
  expect(preparationOf(" ")).toBeNull();
});

test("a provider number is taken as people write it", () => {
  const reading = read({ medicareTests: "iron", ...practitioner });
  expect(reading.kind === "valid" && reading.mappingIn("staging")).toMatchObject({
    items: { practitioner: { providerNumber: "2426621B" } },
  });
});

test("another kind of id than a variant's is refused", () => {
  expect(read({ variantId: "gid://shopify/Order/2" }).kind).toBe("invalid");
  expect(read({ productId: "x" }).kind).toBe("invalid");
});

test("a mapping for the whole product names its variant only as the one that inherits it from now on", () => {
  const reading = read({ tests: "iron", scope: "product" });
  expect(reading).toMatchObject({ kind: "valid", heir: variant.variantId });
  expect(reading.kind === "valid" && reading.mappingIn("staging")).toMatchObject({
    variantId: null,
    productId: variant.productId,
  });
  expect(read({ tests: "iron" })).toMatchObject({ heir: null });
});
