import type { Scope } from "../../../platform/database/scope.ts";
import { correctionRepository } from "./corrections.ts";
import { documentRepository } from "./documents.ts";
import { practitionerRepository } from "./practitioners.ts";
import { referralRepository } from "./referrals.ts";
import { requestRepository } from "./requests.ts";
import { restoreRepository } from "./restores.ts";
import { resultRepository } from "./results.ts";
import { serviceSyncRepository } from "./service-sync.ts";
import { unreadableRepository } from "./unreadable-entries.ts";

/** The rows of this module, through one shop's eyes. */
export const referralsRows = (scope: Scope) => ({
  practitioners: practitionerRepository(scope),
  requests: requestRepository(scope),
  corrections: correctionRepository(scope),
  referrals: referralRepository(scope),
  results: resultRepository(scope),
  documents: documentRepository(scope),
  serviceSync: serviceSyncRepository(scope),
  restores: restoreRepository(scope),
  unreadable: unreadableRepository(scope),
});
