import {
  describeTestOutcome,
  describeUnreadable,
} from "../../modules/lifecycle/connection-words.ts";
import { isGranted, OPTION_SCOPES } from "../../modules/orders/order-status-publisher.ts";
import { CLINICAL_TEXTS_VERSION } from "../../modules/referrals/clinical-texts.ts";
import type { SettingsOverview } from "../../modules/reports/read-settings.ts";
import { ENVIRONMENTS } from "../../modules/shops/connection.ts";
import type { WebApp } from "../../web-app.ts";

type Surroundings = Pick<WebApp, "serviceAddresses" | "describeFailure" | "ports">;

export type ConnectionView = ReturnType<typeof presentSettings>["connections"][number];
export type ScopesView = ReturnType<typeof presentSettings>["missingScopes"];
export type PoliciesView = SettingsOverview["policies"];
export type AcceptedTextsView = ReturnType<typeof presentSettings>["acceptedTexts"];
export type RemindersView = ReturnType<typeof presentSettings>["reminders"];

/** The settings page: one section for each environment that this installation has addresses for. */
export function presentSettings(
  app: Surroundings,
  { policies, clinicalTexts, refundsWaiting, reminders, connections, scope }: SettingsOverview,
) {
  const known = ENVIRONMENTS.flatMap((environment) => {
    const address = app.serviceAddresses[environment];
    return address ? [{ environment, serviceUrl: address.appUrl }] : [];
  });
  return {
    policies,
    acceptedTexts: clinicalTexts && {
      at: clinicalTexts.at.toISOString(),
      isCurrent: clinicalTexts.version === CLINICAL_TEXTS_VERSION,
    },
    refundsWaiting,
    reminders: {
      reminderDays: reminders.reminderDays.join(", "),
      detailsEndDays: String(reminders.detailsEndDays),
    },
    missingScopes: {
      tagOrders: missing(scope, OPTION_SCOPES.tagOrders),
      markFulfilled: missing(scope, OPTION_SCOPES.markFulfilled),
    },
    now: app.ports.clock.now().toISOString(),
    connections: known.map(({ environment, serviceUrl }) => {
      const stored = connections.find((one) => one.environment === environment);
      return { environment, serviceUrl, connection: stored ? present(app, stored) : null };
    }),
  };
}

/** Scopes that an option still has to ask the merchant for. */
const missing = (scope: string, needed: readonly string[]) =>
  isGranted(scope, needed) ? [] : [...needed];

function present(app: Surroundings, connection: SettingsOverview["connections"][number]) {
  const { clientId, signingScheme, signingHeader, hasSigningSecret } = connection;
  return {
    clientId,
    signingScheme,
    signingHeader: signingHeader ?? "",
    hasSigningSecret,
    eventsReceived: connection.eventsReceived,
    eventsRepaired: connection.eventsRepaired,
    webhookAddress: `${app.ports.appUrl}/events/${connection.addressToken}`,
    unreadable: connection.unreadable.map(describeUnreadable),
    lastEventAt: connection.lastEventAt?.toISOString() ?? null,
    lastTestedAt: connection.lastTestedAt?.toISOString() ?? null,
    failure: describeTestOutcome(connection.lastTestOutcome, app.describeFailure),
  };
}
