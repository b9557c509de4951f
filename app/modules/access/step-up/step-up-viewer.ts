import { LinkRefused } from "../link-access.ts";
import { recipientEmail } from "../recipient-email.ts";
import type { Tenant } from "../tenant.ts";
import type { Viewer, ViewerLink } from "../viewer.ts";

/** The one who must show a code: their link, and the address that we know. */
export interface StepUpRecipient {
  link: ViewerLink;
  email: string;
  recipient: Buffer;
}

/**
 * Returns who must show a code. Null for a signed-in customer, and for a session that showed one. Throws
 * `LinkRefused` when no address is known.
 */
export async function stepUpRecipient(
  tenant: Tenant,
  viewer: Viewer,
): Promise<StepUpRecipient | null> {
  if (viewer.kind === "customer" || viewer.link.steppedUpAt) return null;
  const { link } = viewer;
  const request = await tenant.requests.find(link.requestId);
  const email = request && (await recipientEmail(tenant, request, viewer.kind));
  if (!email) throw new LinkRefused("other_purpose");
  return { link, email, recipient: tenant.links.recipientOf(email) };
}
