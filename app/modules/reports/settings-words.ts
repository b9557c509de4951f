import { countOf, monthsInWords } from "../kernel/words.ts";
import { ENVIRONMENT_NAMES } from "../lifecycle/connection-words.ts";
import type { Environment } from "../shops/connection.ts";
import type { ReleasePolicy, ShopSettings } from "../shops/shop.ts";
import { roleOf, type StaffMember } from "../shops/staff-role.ts";

/** One page of the settings: what it holds, and how it stands now. */
export interface SettingsEntry {
  title: string;
  url: string;
  holds: string;
  /** Sentences. */
  state: string[];
  /** Something is left to do there. */
  isOpen: boolean;
  /** Parts of the page that were parts of `/app/settings` once: links to them may be about. */
  anchors: readonly string[];
}

interface Standing {
  policies: ShopSettings & { emailByService: boolean };
  connections: {
    environment: Environment;
    connection: {
      failure: unknown;
      isFailing: boolean;
      isRefused: boolean;
      isUnreadable: boolean;
      isUnreachable: boolean;
      areEventsFailing: boolean;
    } | null;
  }[];
  acceptedTexts: { isCurrent: boolean } | null;
  reminders: { reminderDays: string; detailsEndDays: string };
  /** Who is emailed of an outage. */
  alerts: { sentence: string; isMissing: boolean };
  notice: { recipient: string; overseas: string; complaints: string };
  retentionMonths: number | null;
  missingScopes: { tagOrders: string[]; markFulfilled: string[] };
  /** Where customers with a legacy account find their tests. */
  accountPageUrl: string | null;
  /** What the last look for missed orders found. */
  missedOrders: string | null;
  members: StaffMember[];
}

const RELEASE: Record<ReleasePolicy, string> = {
  automatic: "Patients see results as soon as they arrive.",
  hold_critical: "Critical results and sensitive tests are held",
  hold_abnormal: "Abnormal results and sensitive tests are held",
  hold_all: "All results are held",
};

/** Lists the pages of the settings, each with its present state. */
export function describeSettings(standing: Standing): SettingsEntry[] {
  const { policies, connections, acceptedTexts, reminders, notice, members } = standing;
  const { reviewer, releasePolicy, help, collectionFinder } = policies;
  const broken = connections.some(
    ({ connection }) =>
      connection?.failure || connection?.isFailing || connection?.areEventsFailing,
  );
  const isHeld = releasePolicy !== "automatic";
  const unanswered = [
    notice.recipient,
    notice.overseas === "unanswered" ? "" : notice.overseas,
    notice.complaints,
  ].filter((answer) => !answer).length;
  const refused = refusedOptions(standing);
  return [
    {
      title: "Connection",
      url: "/app/settings/connection",
      holds: "Credentials and webhooks of the referral service, and going live.",
      state: [
        ...connections.map(
          ({ environment, connection }) =>
            `${ENVIRONMENT_NAMES[environment]} ${stateOf(connection)}.`,
        ),
        `New orders go to ${policies.environment}.`,
      ],
      isOpen: broken || !connections.some(({ connection }) => connection),
      anchors: ["staging-connection", "production-connection", "go-live"],
    },
    {
      title: "Orders",
      url: "/app/settings/orders",
      holds: "What is sent by itself, high-risk orders, refunds, practitioners and missed orders.",
      state: [
        policies.holdOrders
          ? "Every order is held for review."
          : `Tests are ordered automatically${policies.holdHighRisk ? "; high-risk orders are held" : ""}.`,
        `Minimum age ${policies.minimumAge}.`,
        ...(standing.missedOrders ? [`Last import: ${standing.missedOrders}`] : []),
      ],
      isOpen: false,
      anchors: ["practitioners", "import-orders"],
    },
    {
      title: "Results and release",
      url: "/app/settings/results",
      holds: "When patients see results, who reviews them, and what patients are told.",
      state: [
        !isHeld
          ? RELEASE.automatic
          : reviewer
            ? `${RELEASE[releasePolicy]} for ${reviewer.name}.`
            : "No reviewer is named, so nothing is held.",
        acceptedTexts?.isCurrent
          ? "The clinical texts are accepted."
          : "The clinical texts are not accepted yet.",
      ],
      isOpen: (isHeld && !reviewer) || !acceptedTexts?.isCurrent,
      anchors: ["orders-and-results", "results", "clinical-texts"],
    },
    {
      title: "Notifications",
      url: "/app/settings/notifications",
      holds:
        "Reminders for missing patient details, who emails the form, and alerts to your staff.",
      state: [
        reminders.reminderDays
          ? `Reminders after ${reminders.reminderDays} days, ending after ${countOf(Number(reminders.detailsEndDays), "day")}.`
          : "No reminders.",
        `${policies.emailByService ? "The referral service" : "Pathway"} emails the form.`,
        standing.alerts.sentence,
      ],
      isOpen: standing.alerts.isMissing,
      anchors: ["reminders", "alerts"],
    },
    {
      title: "Privacy",
      url: "/app/settings/privacy",
      holds: "How long data is kept, the collection notice, and privacy requests.",
      state: [
        standing.retentionMonths === null
          ? "Data is kept without an end."
          : `Data is kept for ${monthsInWords(standing.retentionMonths)}.`,
        unanswered > 0
          ? `The collection notice has ${countOf(unanswered, "open question")}.`
          : "The collection notice is complete.",
      ],
      isOpen: unanswered > 0,
      anchors: ["privacy", "collection-notice"],
    },
    {
      title: "Store",
      url: "/app/settings/store",
      holds:
        "How customers reach you, where patients find a collection centre, and what Pathway writes into Shopify.",
      state: [
        help.email || help.phone
          ? `Customers reach you at ${help.email ?? help.phone}.`
          : "No help details for customers yet.",
        collectionFinder
          ? `Patients find a collection centre at ${collectionFinder.name}.`
          : "No collection centre finder yet.",
        ...writes(policies),
        ...refused,
        ...(standing.accountPageUrl ? [`Customers’ tests: ${standing.accountPageUrl}`] : []),
      ],
      isOpen: refused.length > 0 || !(help.email || help.phone),
      anchors: ["help"],
    },
    {
      title: "Team",
      url: "/app/settings/team",
      holds: "Who may see results, release them, download data and change settings.",
      state: [describeTeam(members)],
      isOpen: false,
      anchors: ["team"],
    },
  ];
}

function stateOf(connection: Standing["connections"][number]["connection"]): string {
  if (!connection) return "is not connected";
  if (connection.isRefused) return "refuses your credentials";
  if (connection.isUnreadable) return "has credentials that Pathway can’t read";
  if (connection.isUnreachable) return "can’t be reached from the server that Pathway runs on";
  if (connection.isFailing) return "takes no calls at the moment";
  if (connection.failure) return "failed its last test";
  return connection.areEventsFailing
    ? "is connected, and its events have the wrong signature"
    : "is connected";
}

const OPTION_DEEDS = {
  markFulfilled: "mark lines as fulfilled",
  tagOrders: "tag orders",
} as const;

function writes({ markFulfilled, tagOrders, startFlows }: Standing["policies"]): string[] {
  const on = [
    ...(markFulfilled ? ["lines marked as fulfilled"] : []),
    ...(tagOrders ? ["order tags"] : []),
    ...(startFlows ? ["Shopify Flow"] : []),
  ];
  return on.length > 0 ? [`On: ${on.join(", ")}.`] : ["Orders are left as they are in Shopify."];
}

/** Options that are on and that Shopify does not allow. */
function refusedOptions({ policies, missingScopes }: Standing): string[] {
  return (["markFulfilled", "tagOrders"] as const)
    .filter((option) => policies[option] && missingScopes[option].length > 0)
    .map((option) => `Shopify doesn’t let Pathway ${OPTION_DEEDS[option]}.`);
}

function describeTeam(members: StaffMember[]): string {
  const managers = members.filter((member) => roleOf(member) === "manager").length;
  if (members.length === 0) return "Nobody has opened Pathway yet.";
  return `${countOf(members.length, "person", "people")} opened Pathway; ${countOf(managers, "manager")}.`;
}
