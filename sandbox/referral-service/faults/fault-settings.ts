import { z } from "zod";

const countOrRate = z
  .number()
  .min(0)
  .refine((value) => value <= 1 || Number.isInteger(value), "must be a rate up to 1 or a count");
const onOrRate = z.boolean().or(countOrRate);
const milliseconds = z
  .number()
  .int()
  .min(0)
  .max(24 * 3600 * 1000);

const off = { drop: 0, duplicate: 0, reorder: 0, delayMs: 0 };

/** The body of PUT /faults (sandbox contract); everything is off unless asked for. */
export const faultSettings = z.object({
  /** Wait before a create does anything. */
  createDelayMs: milliseconds.default(0),
  /** Store the referral, then reset the connection without an answer. */
  createCommitThenDrop: onOrRate.default(0),
  /** Reset the connection, store nothing. */
  createDropBeforeCommit: onOrRate.default(0),
  /** Reset the connection; the referral appears this much later. */
  createLateCommitMs: milliseconds.default(0),
  /** Store the referral, then answer 500. */
  createCommitThenError: onOrRate.default(0),
  /** Share of API calls answered 500 before anything happens. */
  errorRate: z.number().min(0).max(1).default(0),
  rateLimit: z
    .object({ limit: z.number().int().min(0), windowMs: z.number().int().min(1) })
    .nullable()
    .default(null),
  /** Lists leave out referrals younger than this. */
  staleListMs: milliseconds.default(0),
  /** HTTP status for PDF downloads. */
  attachmentStatus: z.number().int().min(200).max(599).nullable().default(null),
  webhooks: z
    .object({
      drop: onOrRate.default(0),
      duplicate: onOrRate.default(0),
      reorder: onOrRate.default(0),
      delayMs: milliseconds.default(0),
    })
    .default(off),
});

export type FaultSettings = z.infer<typeof faultSettings>;
