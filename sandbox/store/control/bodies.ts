import { z } from "zod";
import { type GlobalIdType, idFrom } from "../state/global-id.ts";

/** A number or a global id of the type, as the number. */
export const idOf = (type: GlobalIdType) =>
  z
    .union([z.number().int().positive().transform(String), z.string()])
    .transform((text, context) => {
      const id = idFrom(text, type);
      if (id === undefined) {
        context.addIssue({ code: "custom", message: `is not the id of a ${type}` });
        return z.NEVER;
      }
      return id;
    });

const text = z.string().trim().min(1).nullish().default(null);
const quantity = z.number().int();
/** Each line once: its units would be counted apart, and be more than there are. */
const namesLinesOnce = (lines: { quantity: number; lineItemId?: number }[]) => {
  const named = lines.flatMap(({ lineItemId }) => lineItemId ?? []);
  return new Set(named).size === named.length;
};
const twice = "a line is named twice";
/** Dollars, as a number or written out. */
const price = z.union([z.number().nonnegative(), z.string().regex(/^\d+(\.\d+)?$/)]);

const states = new Map([
  ["ACT", "Australian Capital Territory"],
  ["NSW", "New South Wales"],
  ["NT", "Northern Territory"],
  ["QLD", "Queensland"],
  ["SA", "South Australia"],
  ["TAS", "Tasmania"],
  ["VIC", "Victoria"],
  ["WA", "Western Australia"],
]);

/** An Australian address; `province` may be the code or the name, and either implies the other. */
export const address = z
  .object({
    firstName: text,
    lastName: text,
    company: text,
    address1: text,
    address2: text,
    city: text,
    province: text,
    provinceCode: text,
    zip: z
      .union([z.string(), z.number().transform(String)])
      .nullish()
      .default(null),
    country: z.string().default("Australia"),
    countryCode: z.string().default("AU"),
    phone: text,
  })
  .transform((given) => {
    const wanted = given.provinceCode ?? given.province;
    const state = [...states].find((entry) =>
      entry.some((name) => name.toLowerCase() === wanted?.toLowerCase()),
    );
    return {
      ...given,
      province: state?.[1] ?? given.province,
      provinceCode: state?.[0] ?? given.provinceCode,
    };
  });

export const newCustomer = z.object({
  firstName: text,
  lastName: text,
  email: z.email().nullish().default(null),
  phone: text,
  note: text,
  tags: z.array(z.string()).default([]),
  address: address.nullish(),
  addresses: z.array(address).default([]),
});

const attributes = z.array(z.object({ key: z.string(), value: z.string() }));

/** IANA's name of a time zone that this machine knows. */
export const timeZone = z.object({
  name: z.string().refine((name) => {
    try {
      return new Intl.DateTimeFormat("en-AU", { timeZone: name }) instanceof Intl.DateTimeFormat;
    } catch {
      return false;
    }
  }, "is not the name of a time zone"),
});

const riskLevel = z.enum(["NONE", "LOW", "MEDIUM", "HIGH", "PENDING"]);
export const newAssessment = z.object({ risk: riskLevel });

const orderedVariant = z.object({
  variantId: idOf("ProductVariant"),
  quantity: quantity.min(1).default(1),
  properties: attributes.optional(),
});
/** Something that only this order has: what staff type into a draft, or an edit. */
const customLine = z
  .object({
    title: z.string().min(1),
    price: price.optional(),
    priceCents: z.number().int().nonnegative().optional(),
    quantity: quantity.min(1).default(1),
    properties: attributes.optional(),
  })
  .transform(({ price, priceCents, ...line }) => ({
    ...line,
    priceCents: cents({ price, priceCents }),
  }));
/** Off the lines with these numbers, else off the order. */
const newDiscount = z
  .object({
    code: text,
    title: text,
    lines: z.array(z.number().int().nonnegative()).min(1).nullish(),
    percentage: z.number().min(0).max(100).nullish(),
    amountCents: z.number().int().nonnegative().nullish(),
  })
  .refine(
    ({ percentage, amountCents }) => (percentage == null) !== (amountCents == null),
    "either percentage or amountCents",
  );

export const newOrder = z
  .object({
    customerId: idOf("Customer").nullish(),
    email: z.email().nullish(),
    phone: text,
    lines: z.array(z.union([orderedVariant, customLine])).min(1),
    discounts: z.array(newDiscount).default([]),
    giftCardCents: z.number().int().nonnegative().default(0),
    /** A draft that staff completed: an order of its own source. */
    source: z.enum(["web", "shopify_draft_order"]).default("web"),
    /** False: it waits for its money, until `POST /orders/{id}/pay`. */
    paid: z.boolean().default(true),
    shippingAddress: address.nullish(),
    test: z.boolean().default(false),
    note: text,
    tags: z.array(z.string()).default([]),
    customAttributes: attributes.default([]),
    /** Shopify's assessment; `riskLevel` is an older name of it. */
    risk: riskLevel.optional(),
    riskLevel: riskLevel.default("LOW"),
    /** For orders of the past, as an import finds them. */
    createdAt: z.iso.datetime({ offset: true }).optional(),
    /** When it was placed elsewhere, as an app that imports orders says. */
    processedAt: z.iso.datetime({ offset: true }).optional(),
  })
  .transform(({ risk, riskLevel, ...order }) => ({ ...order, riskLevel: risk ?? riskLevel }));

export const newRefund = z
  .object({
    lines: z
      .array(
        z.object({
          lineItemId: idOf("LineItem"),
          quantity: quantity.min(1),
          /** Fulfilled units that came back; by default what is not fulfilled is taken off first. */
          returned: z.boolean().optional(),
        }),
      )
      .refine(namesLinesOnce, twice)
      .default([]),
    returnId: z.number().int().nullish(),
    note: text,
    shipping: z.boolean().default(false),
    /** So much is given back, whatever the lines cost: without lines, staff leave the items on the order. */
    amountCents: z.number().int().positive().optional(),
  })
  .refine(
    ({ lines, amountCents }) => lines.length > 0 || amountCents,
    "either lines or amountCents",
  )
  .transform(({ amountCents, ...refund }) => ({
    ...refund,
    ...(amountCents === undefined ? {} : { amountCents }),
  }));

const unitsOfLines = z
  .array(z.object({ lineItemId: idOf("LineItem"), quantity: quantity.min(1) }))
  .min(1)
  .refine(namesLinesOnce, twice);
export const newFulfilment = z.object({ lines: unitsOfLines });
/** `lowersQuantity`: the units count as gone while the return is open. */
export const newReturn = z.object({
  lines: unitsOfLines,
  lowersQuantity: z.boolean().default(true),
});
export const returnEnd = z.object({ status: z.enum(["CLOSED", "CANCELED"]) });

export const cancellation = z.object({
  reason: z.enum(["CUSTOMER", "DECLINED", "FRAUD", "INVENTORY", "OTHER", "STAFF"]).optional(),
  refund: z.boolean().default(true),
});

export const orderCustomer = z.object({ customerId: idOf("Customer").nullable() });

/** A line with `lineItemId` gets a new quantity; one with `variantId` is added. */
export const orderEdit = z.object({
  lines: z
    .array(
      z.union([
        z.object({ lineItemId: idOf("LineItem"), quantity: quantity.min(0) }),
        z.object({ variantId: idOf("ProductVariant"), quantity: quantity.min(1) }),
      ]),
    )
    .min(1)
    .refine(namesLinesOnce, twice),
});

const customer = idOf("Customer");
export const customerMerge = z.union([
  z.object({ keptId: customer, deletedId: customer }),
  z.object({ into: customer, from: customer }).transform((names) => ({
    keptId: names.into,
    deletedId: names.from,
  })),
]);

const priced = z
  .object({
    title: z.string().optional(),
    sku: text,
    price: price.optional(),
    priceCents: z.number().int().nonnegative().optional(),
    requiresShipping: z.boolean().default(false),
  })
  .transform((variant) => ({ ...variant, priceCents: cents(variant) }));

export const newProduct = z
  .object({
    title: z.string().min(1),
    descriptionHtml: z.string().optional(),
    vendor: z.string().optional(),
    productType: z.string().optional(),
    tags: z.array(z.string()).optional(),
    status: z.enum(["ACTIVE", "DRAFT", "ARCHIVED"]).optional(),
    isGiftCard: z.boolean().optional(),
    optionName: z.string().optional(),
    sku: text,
    price: price.optional(),
    priceCents: z.number().int().nonnegative().optional(),
    requiresShipping: z.boolean().optional(),
    variants: z.array(priced).min(1).optional(),
  })
  .transform(({ sku, price, priceCents, requiresShipping, variants, ...product }) => ({
    ...product,
    variants: variants ?? [{ sku, requiresShipping, priceCents: cents({ price, priceCents }) }],
  }));

export const productChanges = z.object({
  title: z.string().min(1).optional(),
  descriptionHtml: z.string().optional(),
  vendor: z.string().optional(),
  productType: z.string().optional(),
  tags: z.array(z.string()).optional(),
  status: z.enum(["ACTIVE", "DRAFT", "ARCHIVED"]).optional(),
});

function cents(given: {
  price?: string | number | undefined;
  priceCents?: number | undefined;
}): number {
  return given.priceCents ?? Math.round(Number(given.price ?? 0) * 100);
}
