import type { ShopDomain } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";
import type { Ports as PortsBelow } from "../shops/ports.ts";
import type { AttachmentFetcher, DocumentBodies } from "./document.ts";
import type { OrderRiskReader } from "./order-risk.ts";
import type { ReferralService } from "./referral-service.ts";
import type { Tenancy } from "./tenant.ts";

/** Port: the service as each connection sees it. */
export interface ReferralServices {
  /** Null when the shop has no such connection. */
  forConnection(shop: ShopDomain, environment: Environment): Promise<ReferralService | null>;
}

/** The ports that use cases of this module and of those below need. */
export interface Ports extends PortsBelow {
  tenancy: Tenancy;
  services: ReferralServices;
  attachments: AttachmentFetcher;
  documentBodies: DocumentBodies;
  orderRisk: OrderRiskReader;
  /** Whether the service emails the referral form itself (interface §4.2, emailReferralToCustomer). */
  emailByService: boolean;
}
