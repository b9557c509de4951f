import type { LinkPurpose } from "../../app/modules/access/link-purpose.ts";
import type { ViewerLink } from "../../app/modules/access/viewer.ts";
import { gid } from "../../app/modules/kernel/ids.ts";

/** The link of a viewer whom no stored link let in: for the first unit of the order that tests seed. */
export const viewerLink = (
  purpose: LinkPurpose,
  unit: ViewerLink["unit"] = { lineItemId: gid("LineItem", 1), unit: 1 },
): ViewerLink => ({
  id: "00000000-0000-4000-8000-000000000001",
  requestId: "00000000-0000-4000-8000-000000000002",
  purpose,
  unit,
  sessionHash: Buffer.alloc(32),
  steppedUpAt: null,
});
