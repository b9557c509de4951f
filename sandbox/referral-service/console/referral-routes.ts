import { z } from "zod";
import { json } from "../http/answer.ts";
import { ApiError, invalidParameter } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { type Referral, referralStatus } from "../referrals/referral.ts";
import { viewReferral } from "../referrals/referral-view.ts";
import { setStatus } from "../referrals/set-status.ts";
import { verifyReferral } from "../referrals/verify-referral.ts";
import { arriveResults } from "../results/arrive.ts";
import { releaseResult } from "../results/release-result.ts";
import { viewResult } from "../results/result-view.ts";
import { type ConsoleCall, consoleRoute, requireOrganisation } from "./console-call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";

/** The lab bench's wishes (sandbox contract). */
export const benchFields = z.object({
  partial: z.boolean().default(false),
  abnormal: z.boolean().optional(),
  critical: z.boolean().optional(),
  seed: z
    .union([z.string(), z.number()])
    .transform((value) => String(value))
    .optional(),
});

export const statusFields = z.object({ status: referralStatus });

/** Patient verification, states, lab bench and review of `{app_url}/api`. */
export function consoleReferralRoutes(dependencies: ConsoleDependencies): Route[] {
  const { core } = dependencies;
  const requireReferral = ({ account, params }: ConsoleCall): Referral => {
    const { id } = requireOrganisation(core, account);
    const referral = core.stores.referrals.find(id, (params.uuid ?? "").toLowerCase());
    if (!referral) throw new ApiError(404, "REFERRAL_NOT_FOUND", "Referral not found");
    return referral;
  };
  const view = (referral: Referral) => viewReferral(referral, core.signedAddresses);
  return [
    consoleRoute(dependencies, "GET", "/referrals", ({ account, query }) => {
      const { id } = requireOrganisation(core, account);
      const before = Number(query.get("before") ?? Number.NaN);
      const page = core.stores.referrals.page(id, {
        sort: "desc",
        count: 50,
        afterSeq: Number.isInteger(before) ? before : null,
      });
      return json({ referrals: page.entries.map(view), before: page.lastSeq });
    }),
    consoleRoute(dependencies, "POST", "/referrals/{uuid}/verify", (call) => {
      const referral = requireReferral(call);
      if (referral.status !== "PENDING_VERIFICATION") {
        throw invalidParameter(`This referral awaits no verification; it is ${referral.status}`);
      }
      return json(view(verifyReferral(core, referral)));
    }),
    consoleRoute(dependencies, "POST", "/referrals/{uuid}/status", (call) => {
      const referral = requireReferral(call);
      const { status } = parsePayload(statusFields, call.body);
      return json(view(setStatus(core, referral, status)));
    }),
    consoleRoute(dependencies, "POST", "/referrals/{uuid}/results", (call) => {
      const { referral } = arriveResults(
        core,
        requireReferral(call),
        parsePayload(benchFields, call.body),
      );
      return json(view(referral));
    }),
    consoleRoute(dependencies, "POST", "/results/{uuid}/release", ({ account, params }) => {
      const { id } = requireOrganisation(core, account);
      const result = core.stores.results.find(id, (params.uuid ?? "").toLowerCase());
      const referral = result && core.stores.referrals.findAnywhere(result.referralUuid);
      if (!result || !referral) throw new ApiError(404, "RESULT_NOT_FOUND", "Result not found");
      const reviewer = [account.firstName, account.lastName].filter(Boolean).join(" ");
      const released = releaseResult(core, result, reviewer || account.email);
      return json(viewResult(released, referral, core.signedAddresses));
    }),
  ];
}
