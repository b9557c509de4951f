import { randomUUID } from "node:crypto";
import { expiryOf, hashSecret, newSecret } from "../kernel/secret.ts";
import type { LinkKind } from "./link.ts";
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
  const [id, token] = [randomUUID(), newSecret("access_link")];
  await tenant.links.create({
    id,
    tokenHash: hashSecret(token),
    requestId,
    kind,
    purpose,
    recipient: tenant.links.recipientOf(to),
    expiresAt: expiryOf("access_link", now),
    at: now,
  });
  return { id, token };
}
