import { presentOutage } from "../../components/feedback/outage-banner.tsx";
import { gidNumber } from "../../modules/kernel/ids.ts";
import { describeRefusedEvents } from "../../modules/kernel/refusal-words.ts";
import {
  describeOutage,
  describeTestNow,
  describeUnreadable,
  ENVIRONMENT_NAMES,
} from "../../modules/lifecycle/connection-words.ts";
import { describeCheck } from "../../modules/lifecycle/preflight-words.ts";
import { OPTION_SCOPES } from "../../modules/orders/order-status-publisher.ts";
import { CLINICAL_TEXTS_VERSION } from "../../modules/referrals/clinical-texts.ts";
import { describeDelivery } from "../../modules/reports/delivery-words.ts";
import type { SettingsOverview } from "../../modules/reports/read-settings.ts";
import {
  areCredentialsRefused,
  areCredentialsUnreadable,
  ENVIRONMENTS,
  isUnreachableFromHere,
} from "../../modules/shops/connection.ts";
import type { StaffRight } from "../../modules/shops/staff-role.ts";
import type { WebApp } from "../../web-app.ts";
import { presentAlerts } from "./present-alerts.ts";

type Surroundings = Pick<WebApp, "serviceAddresses" | "describeFailure" | "ports">;

export type ConnectionView = ReturnType<typeof presentSettings>["connections"][number];
/** For each option, the scopes that the merchant has to be asked for; none when Shopify allows it. */
export type ScopesView = Record<keyof typeof OPTION_SCOPES, string[]>;
export type PoliciesView = SettingsOverview["policies"];
export type AcceptedTextsView = ReturnType<typeof presentSettings>["acceptedTexts"];
export type DeliveriesView = ReturnType<typeof presentSettings>["deliveries"];
export type PreflightView = ReturnType<typeof presentSettings>["preflight"];
export type NoticeView = ReturnType<typeof presentSettings>["notice"];
export type NoticeTextView = ReturnType<typeof presentSettings>["noticeText"];
export type AlertsView = ReturnType<typeof presentSettings>["alerts"];
export type RemindersView = ReturnType<typeof presentSettings>["reminders"];

/** The settings page: one section for each environment that this installation has addresses for. */
export function presentSettings(
  app: Surroundings,
  overview: SettingsOverview,
  missingScopes: ScopesView,
  rights: readonly StaffRight[],
) {
  const { policies, clinicalTexts, refundsWaiting, reminders, connections } = overview;
  const { sendsOverseas, ...notice } = overview.notice;
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
    preflight:
      overview.preflight?.map((check) => {
        const { code, isMet, isRequired } = check;
        return { code, isMet, isRequired, ...describeCheck(check) };
      }) ?? null,
    refundsWaiting,
    reminders: {
      reminderDays: reminders.reminderDays.join(", "),
      detailsEndDays: String(reminders.detailsEndDays),
    },
    notice: {
      recipient: notice.recipient ?? "",
      overseas: sendsOverseas === null ? "unanswered" : sendsOverseas ? "yes" : "no",
      countries: notice.countries ?? "",
      policyUrl: notice.policyUrl ?? "",
      complaints: notice.complaints ?? "",
    },
    alerts: presentAlerts(overview.alerts),
    isReviewerRefused: overview.isReviewerRefused,
    noticeText: overview.noticeText,
    missingScopes,
    accountPageUrl: overview.accountPageUrl,
    now: app.ports.clock.now().toISOString(),
    deliveries: overview.deliveries.map((delivery) => ({
      id: delivery.id,
      at: delivery.at.toISOString(),
      ...describeDelivery(delivery),
      ...(delivery.environment && { environment: ENVIRONMENT_NAMES[delivery.environment] }),
      ...(delivery.kind === "accepted" && {
        order: delivery.orderId && gidNumber(delivery.orderId),
      }),
    })),
    connections: known.map(({ environment, serviceUrl }) => {
      const stored = connections.find((one) => one.environment === environment);
      const isElsewhere = environment !== policies.environment;
      return {
        ...{ environment, serviceUrl },
        connection: stored ? present(app, stored, { rights, isElsewhere }) : null,
      };
    }),
  };
}

/** Finds the scopes that each option still has to ask the merchant for. */
export async function missingScopesOf(
  { storeFacts }: Pick<WebApp["ports"], "storeFacts">,
  { scope }: Pick<SettingsOverview, "scope">,
): Promise<ScopesView> {
  const missing = async (needed: readonly string[]) =>
    (await storeFacts.covers(scope, needed)) ? [] : [...needed];
  return {
    tagOrders: await missing(OPTION_SCOPES.tagOrders),
    markFulfilled: await missing(OPTION_SCOPES.markFulfilled),
  };
}

const stillAhead = (until: Date | null, now: Date) =>
  until && until > now ? until.toISOString() : null;

function present(
  app: Surroundings,
  connection: SettingsOverview["connections"][number],
  { rights, isElsewhere }: { rights: readonly StaffRight[]; isElsewhere: boolean },
) {
  const { clientId, signingScheme, signingHeader, hasSigningSecret, failing, failingCalls } =
    connection;
  const elsewhere = isElsewhere ? connection.environment : null;
  const outage = describeOutage(failingCalls && { ...failingCalls, elsewhere }, {
    now: app.ports.clock.now(),
    describeFailure: app.describeFailure,
  });
  const { previousSecretUntil } = connection;
  return {
    clientId,
    signingScheme,
    signingHeader: signingHeader ?? "",
    hasSigningSecret,
    credentialsAt: connection.credentialsAt?.toISOString() ?? null,
    signingSecretAt: connection.signingSecretAt?.toISOString() ?? null,
    /** Null once it has passed. */
    previousSecretUntil: stillAhead(previousSecretUntil, app.ports.clock.now()),
    eventsReceived: connection.eventsReceived,
    eventsRepaired: connection.eventsRepaired,
    /** A secret of whoever may change the connection; null for everybody else, and where it can't be read. */
    webhookAddress:
      rights.includes("change_credentials") && connection.addressToken
        ? `${app.ports.appUrl}/events/${connection.addressToken}`
        : null,
    isAddressUnreadable: connection.addressToken === null,
    areEventsFailing: connection.areEventsFailing,
    /** Events that were not believed, while none is. */
    refusedEvents: connection.areEventsFailing
      ? describeRefusedEvents(connection.refusedEvents)
      : null,
    unreadable: connection.unreadable.map(describeUnreadable),
    lastEventAt: connection.lastEventAt?.toISOString() ?? null,
    lastTestedAt: connection.lastTestedAt?.toISOString() ?? null,
    failure: describeTestNow(connection, app.describeFailure),
    isFailing: failing !== null,
    outage: presentOutage(outage),
    isRefused: areCredentialsRefused(connection),
    isUnreadable: areCredentialsUnreadable(connection),
    isUnreachable: isUnreachableFromHere(connection),
  };
}
