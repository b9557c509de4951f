import { randomUUID } from "node:crypto";
import { hashOf, LINK_LIFETIME_MS, type LinkKind, newSecret } from "./link.ts";
import type { LinkPurpose } from "./link-purpose.ts";
import type { Tenant } from "./tenant.ts";

export interface IssuedLink {
  id: string;
  /** Goes into the mail. Nothing here can tell it again. */
  token: string;
}

/** Makes a link to be mailed to this address at once. */
export async function issueLink(
  tenant: Tenant,
  {
    requestId,
    kind,
    purpose,
    to,
    now,
  }: { requestId: string; kind: LinkKind; purpose: LinkPurpose; to: string; now: Date },
): Promise<IssuedLink> {
  const [id, token] = [randomUUID(), newSecret()];
  await tenant.links.create({
    id,
    tokenHash: hashOf(token),
    requestId,
    kind,
    purpose,
    recipient: tenant.links.recipientOf(to),
    expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
    at: now,
  });
  return { id, token };
}
