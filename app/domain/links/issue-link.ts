import { randomUUID } from "node:crypto";
import type { Tenant } from "../tenant.ts";
import { hashOf, LINK_LIFETIME_MS, type LinkKind, newSecret } from "./link.ts";

/** Makes a link to be mailed at once, and answers its token, which nothing here can tell again. */
export async function issueLink(
  tenant: Tenant,
  { requestId, kind, now }: { requestId: string; kind: LinkKind; now: Date },
): Promise<string> {
  const secret = newSecret();
  await tenant.links.create({
    id: randomUUID(),
    tokenHash: hashOf(secret),
    requestId,
    kind,
    expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
    at: now,
  });
  return secret;
}
