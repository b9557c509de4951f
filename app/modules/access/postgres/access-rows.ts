import type { Scope } from "../../../platform/database/scope.ts";
import { draftRepository } from "./drafts.ts";
import { exportTicketRepository } from "./export-tickets.ts";
import { linkRepository } from "./links.ts";
import { shareRepository } from "./shares.ts";
import { stepUpRepository } from "./step-ups.ts";

/** The rows of this module, through one shop's eyes. */
export const accessRows = (scope: Scope) => ({
  links: linkRepository(scope),
  stepUps: stepUpRepository(scope),
  exportTickets: exportTicketRepository(scope),
  drafts: draftRepository(scope),
  shares: shareRepository(scope),
});
