import { z } from "zod";
import { gid } from "../kernel/ids.ts";
import { ENVIRONMENTS } from "./connection.ts";

const orderId = z.string().transform((value) => gid("Order", value));

/** A summary counts what waits no further. */
export const MAX_COUNTED = 1000;

/** The content of an alert: counts, codes, times and order numbers. */
export const alertFacts = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("outage"),
    environment: z.enum(ENVIRONMENTS),
    since: z.iso.datetime(),
    /** The service answers, and refuses the credentials. */
    isRefused: z.boolean(),
    /** The credentials that are stored can't be opened. */
    isUnreadable: z.boolean().optional(),
    /** The service can't be reached from the server that Pathway runs on. */
    isUnreachable: z.boolean().optional(),
    isOver: z.boolean(),
  }),
  z.object({
    kind: z.literal("attention"),
    /** The numbers of the orders that came to need a person, as far as an email lists them. */
    orders: z.array(z.string()),
    count: z.number(),
    /** The email is about products on sale that can't be ordered as they are mapped, and about no order. */
    broken: z.object({ environment: z.enum(ENVIRONMENTS), products: z.number() }).optional(),
  }),
  z.object({ kind: z.literal("critical_held"), orderId, requestId: z.uuid() }),
  z.object({
    kind: z.literal("webhooks"),
    /** Events of the service whose signature was wrong. */
    events: z.number(),
    /** Messages in Shopify's name that were not acted on. */
    messages: z.array(z.object({ reason: z.string(), count: z.number() })),
  }),
  z.object({
    kind: z.literal("daily"),
    day: z.iso.date(),
    /** Counts of that day. */
    ...{ orders: z.number(), forms: z.number(), reports: z.number() },
    /** With a report or without; an earlier version counted reports alone. */
    results: z.number().optional(),
    /** As the summary is made, at most MAX_COUNTED + 1. */
    ...{ awaitingDetails: z.number(), attention: z.number() },
  }),
]);
export type AlertFacts = z.output<typeof alertFacts>;
