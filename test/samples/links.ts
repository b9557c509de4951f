import type { AccessLink } from "../../app/modules/access/link.ts";
import { DAY } from "./facts.ts";

/** A guest's link for the details of the sample request, made today. */
export const sampleLink = (fields: Partial<AccessLink> = {}): AccessLink => ({
  id: "link",
  requestId: "request",
  kind: "guest",
  purpose: "details",
  recipient: null,
  expiresAt: new Date(DAY.getTime() + 14 * 24 * 3_600_000),
  usedAt: null,
  revokedAt: null,
  supersededAt: null,
  createdAt: DAY,
  ...fields,
});
