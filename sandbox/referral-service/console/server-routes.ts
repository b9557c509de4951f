import { z } from "zod";
import { faultSettings } from "../faults/fault-settings.ts";
import { json } from "../http/answer.ts";
import type { Route } from "../http/router.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { type ConsoleCall, consoleRoute, requireOrganisation } from "./console-call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";

/** Ten years are more than any test needs, and keep dates printable. */
const maxAdvanceSeconds = 10 * 366 * 24 * 3600;

export const clockFields = z.object({ advanceSeconds: z.number().min(0).max(maxAdvanceSeconds) });

/** Faults, clock, statistics and emails of `{app_url}/api`. */
export function serverRoutes(dependencies: ConsoleDependencies): Route[] {
  const { core, counts, openConnections } = dependencies;
  const scopeOf = ({ account, isConsole }: ConsoleCall) =>
    isConsole ? ("everyone" as const) : requireOrganisation(core, account).id;
  return [
    consoleRoute(dependencies, "PUT", "/faults", (call) => {
      const settings = parsePayload(faultSettings, call.body);
      core.faults.set(scopeOf(call), settings);
      return json(settings);
    }),
    consoleRoute(dependencies, "GET", "/faults", ({ account }) =>
      json(core.faults.of(requireOrganisation(core, account).id).settings),
    ),
    consoleRoute(dependencies, "POST", "/clock", ({ body }) => {
      core.clock.advance(parsePayload(clockFields, body).advanceSeconds);
      return json({ now: new Date(core.clock.nowMs()).toISOString() });
    }),
    consoleRoute(dependencies, "GET", "/clock", () =>
      json({ now: new Date(core.clock.nowMs()).toISOString() }),
    ),
    consoleRoute(dependencies, "GET", "/stats", ({ account }) => {
      const { id } = requireOrganisation(core, account);
      return json({
        calls: counts.snapshot(),
        referralsByReferenceNumber: core.stores.referrals.countsByReferenceNumber(id),
        openConnections: openConnections(),
      });
    }),
    consoleRoute(dependencies, "GET", "/mails", ({ account }) => {
      const { id } = requireOrganisation(core, account);
      return json(
        core.stores.mails.newest(id, 200).map((mail) => ({
          id: mail.id,
          to: mail.recipient,
          attachments: mail.referralUuids,
          sentAt: new Date(mail.sentAtMs).toISOString(),
        })),
      );
    }),
  ];
}
