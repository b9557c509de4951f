import { z } from "zod";
import { faultSetting } from "./fault-setting.ts";

const milliseconds = z
  .number()
  .int()
  .min(0)
  .max(24 * 3600 * 1000);

/** A setting that null switches off, as leaving it out does. */
function offByNull<T extends z.ZodType>(setting: T) {
  return z.preprocess((value) => (value === null ? undefined : value), setting);
}

const frequency = offByNull(faultSetting.default(0));
const delay = offByNull(milliseconds.default(0));
const off = { drop: 0, duplicate: 0, reorder: 0, delayMs: 0 };

/** The body of PUT /faults (sandbox contract); everything is off unless asked for. */
export const faultSettings = z.object({
  /** Wait before a create does anything. */
  createDelayMs: delay,
  /** Store the referral, then reset the connection without an answer. */
  createCommitThenDrop: frequency,
  /** Reset the connection, store nothing. */
  createDropBeforeCommit: frequency,
  /** Reset the connection; the referral appears this much later. */
  createLateCommitMs: delay,
  /** Store the referral, then answer 500. */
  createCommitThenError: frequency,
  /** Share of API calls answered 500 before anything happens. */
  errorRate: offByNull(z.number().min(0).max(1).default(0)),
  rateLimit: z
    .object({ limit: z.number().int().min(0), windowMs: z.number().int().min(1) })
    .nullable()
    .default(null),
  /** Lists leave out referrals younger than this. */
  staleListMs: delay,
  /** The lists begin with somebody else's Medicare referral, whose practitioner's address is an object. */
  foreignReferral: offByNull(z.enum(["address-object"]).optional()),
  /** A result names another person than the one it was ordered for. */
  wrongPerson: offByNull(z.boolean().default(false)),
  /** DELETE is refused for a reason of the service's own. */
  deleteRefused: offByNull(z.boolean().default(false)),
  /** The laboratory reports in the moment in which a referral is deleted. */
  resultsAtDelete: offByNull(z.boolean().default(false)),
  /** Results say that they were deleted (interface §2.2, deletedAt). */
  resultsDeleted: offByNull(z.boolean().default(false)),
  /** HTTP status for PDF downloads. */
  attachmentStatus: z
    .preprocess(
      (value) => (value === 0 || value === 200 ? null : value),
      z.number().int().min(300).max(599).nullable(),
    )
    .default(null),
  /** A form is drawn at each download, with another time of day. */
  formsDrawnAnew: offByNull(z.boolean().default(false)),
  /** Addresses of PDFs are signed under another name of this machine. */
  attachmentHost: offByNull(z.enum(["other"]).optional()),
  /** The organisation has this version of the interface only; a call for another is refused. */
  onlyVersion: offByNull(z.enum(["1.0.0"]).optional()),
  /** The token service takes a client's credentials in the body only (interface §5.1). */
  basicRefused: offByNull(z.boolean().default(false)),
  /** A result has no report until so long after it arrived. */
  reportLateMs: delay,
  webhooks: offByNull(
    z
      .object({ drop: frequency, duplicate: frequency, reorder: frequency, delayMs: delay })
      .default(off),
  ),
});

export type FaultSettings = z.infer<typeof faultSettings>;
