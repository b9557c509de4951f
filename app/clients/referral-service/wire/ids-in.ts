import { z } from "zod";
import { readReferenceNumber } from "../../../modules/referrals/reference-number.ts";
import type { AnswerIds } from "../../../platform/errors.ts";
import { mentionedIn } from "./mentioned-in.ts";

const own = z
  .object({
    uuid: z.string().toLowerCase().catch(""),
    referralUuid: z.guid().toLowerCase().nullable().catch(null),
  })
  .catch({ uuid: "", referralUuid: null });

export const uuidIn = (value: unknown): string => own.parse(value).uuid;

/** The ids of a value that cannot be read otherwise. */
export const idsIn = (value: unknown): AnswerIds => ({
  ...own.parse(value),
  referenceNumber: mentionedIn(value, readReferenceNumber),
});
