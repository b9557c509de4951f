import { z } from "zod";
import { cursor, timestamp, uuid } from "./common.ts";

/** Interface §2.4, exactly. */
const test = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    shortName: z.string(),
    price: z.int().min(1),
    object: z.literal("test"),
    turnAroundTimeAverage: z.strictObject({
      maximumDays: z.int(),
      minimumDays: z.int(),
      object: z.literal("turnaroundTime"),
    }),
    turnAroundTimes: z.array(
      z.strictObject({
        maximumDays: z.int().nullable(),
        minimumDays: z.int().nullable(),
        providerId: z.string(),
        providerName: z.string(),
        object: z.literal("providerTurnaroundTime"),
      }),
    ),
  })
  .meta({ id: "Test" });

export const testList = z.array(test);

/** Interface §2.5, exactly. */
const bundle = z
  .strictObject({
    id: uuid,
    name: z.string(),
    object: z.literal("bundle"),
    tests: z
      .array(z.strictObject({ id: z.string(), name: z.string(), object: z.literal("test") }))
      .min(1),
    createdAt: timestamp,
  })
  .meta({ id: "Bundle" });

export const bundleList = z
  .strictObject({ cursor, bundles: z.array(bundle).max(20) })
  .meta({ id: "BundleList" });
