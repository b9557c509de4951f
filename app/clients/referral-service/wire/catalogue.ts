import { z } from "zod";
import type { CatalogueBundle, CatalogueTest } from "../../../modules/referrals/snapshots.ts";
import { lenientText, optionalNumber, whole } from "./fields.ts";

/** Interface §2.4. `price` is in cents on the wire. */
export const testSchema = z
  .object({
    id: z.string().min(1),
    name: z.string(),
    shortName: lenientText,
    price: whole,
    turnAroundTimeAverage: z
      .object({ minimumDays: optionalNumber, maximumDays: optionalNumber })
      .nullish()
      .transform((days) => days ?? null),
  })
  .transform(({ price, turnAroundTimeAverage, ...test }) => ({
    ...test,
    shortName: test.shortName || test.name,
    priceCents: price,
    turnaround: turnAroundTimeAverage,
  })) satisfies z.ZodType<CatalogueTest>;

/** Interface §2.5. */
export const bundleSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  tests: z
    .array(z.object({ id: z.string(), name: lenientText }))
    .nullish()
    .transform((tests) => tests ?? []),
}) satisfies z.ZodType<CatalogueBundle>;
