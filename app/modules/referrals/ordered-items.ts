import { z } from "zod";
import type { OrderedItems, Practitioner } from "./referral-service.ts";
import { itemsOfParts, partsOfItems } from "./requests/referral-parts.ts";

/**
 * A practitioner as a row keeps them, or none. Made once: to make one takes fifty times as long as to read by it, and every row
 * of a request is read by it.
 */
export const practitionerSchema = z
  .object({ name: z.string(), address: z.string(), providerNumber: z.string() })
  .nullable() satisfies z.ZodType<Practitioner | null>;

/** The items that a mapping or a request orders, as rows and batches keep them as JSON. */
export const orderedItemsSchema = z.object({
  bundleId: z.string().nullable(),
  tests: z.array(z.string()),
  medicareTests: z.array(z.string()),
  practitioner: practitionerSchema,
}) satisfies z.ZodType<OrderedItems>;

/** Whether items are the whole of an order, or the part of it that makes one of its two referrals. The one who orders them does not count. */
export const isWholeOrPartOf = (items: OrderedItems, whole: OrderedItems): boolean =>
  keyOf(itemsOfParts(whole, partsOfItems(items))) === keyOf(items);

const keyOf = ({ bundleId, tests, medicareTests }: OrderedItems): string =>
  JSON.stringify([bundleId, [...new Set(tests)].sort(), [...new Set(medicareTests)].sort()]);
