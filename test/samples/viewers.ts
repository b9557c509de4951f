import type { Viewer, ViewerLink } from "../../app/modules/access/viewer.ts";
import { gid } from "../../app/modules/kernel/ids.ts";

/** The buyer of the sample request, signed in to their account. */
export const CUSTOMER: Viewer = { kind: "customer", customerId: gid("Customer", 7) };

/** A link for results that was mailed about the sample request, before a code was shown. */
const sampleViewerLink = (fields: Partial<ViewerLink> = {}): ViewerLink => ({
  id: "link",
  requestId: "request",
  purpose: "results",
  unit: { lineItemId: gid("LineItem", 1), unit: 1 },
  sessionHash: Buffer.from("session"),
  steppedUpAt: null,
  ...fields,
});

/** The buyer, by a link. */
export const sampleGuest = (link: Partial<ViewerLink> = {}) =>
  ({ kind: "guest", orderId: gid("Order", 1), link: sampleViewerLink(link) }) as const;

/** The invited patient. */
export const samplePatient = (link: Partial<ViewerLink> = {}) =>
  ({
    kind: "patient",
    orderId: gid("Order", 1),
    lineItemId: gid("LineItem", 1),
    unit: 1,
    link: sampleViewerLink(link),
  }) as const;
