import type { TenancyOf } from "../kernel/tenant.ts";
import type { Tenant as TenantBelow } from "../orders/tenant.ts";
import type { DraftRepository } from "./draft.ts";
import type { ExportTicketRepository } from "./export-ticket.ts";
import type { LinkRepository } from "./link.ts";
import type { ShareRepository } from "./share.ts";
import type { StepUpRepository } from "./step-up.ts";

/** The repositories of this module and of those below, for one shop and inside one transaction. */
export interface Tenant extends TenantBelow {
  links: LinkRepository;
  stepUps: StepUpRepository;
  exportTickets: ExportTicketRepository;
  drafts: DraftRepository;
  shares: ShareRepository;
}

export type Tenancy = TenancyOf<Tenant>;
