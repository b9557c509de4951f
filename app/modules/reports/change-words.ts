import type { AccessDetail, AccessEntry, AccessParty, SettingKind } from "../kernel/access-log.ts";
import { SETTING_KINDS } from "../kernel/access-log.ts";
import { countOf } from "../kernel/words.ts";
import { type AlertKind, CONTACT_ID } from "../shops/alert.ts";
import { ALERT_NAMES } from "../shops/alert-words.ts";
import type { Conflict } from "../shops/keep-others-changes.ts";
import type { StaffRight, StaffRole } from "../shops/staff-role.ts";
import { ROLE_NAMES } from "../shops/staff-words.ts";

const SETTINGS: Record<string, string> = {
  environment: "where orders go",
  holdOrders: "hold orders for review",
  holdHighRisk: "hold high-risk orders",
  strictMode: "always ask before retrying",
  minimumAge: "minimum age",
  releasePolicy: "release of results",
  reviewer: "reviewer",
  clinicalContact: "clinical contact",
  help: "help details",
  collectionFinder: "collection centre finder",
  notice: "collection notice",
  recipient: "who gets the details",
  sendsOverseas: "whether details are sent overseas",
  countries: "countries",
  policyUrl: "privacy policy",
  complaints: "who takes complaints",
  releaseAfterHours: "hours until a critical result is shown",
  emailByService: "form emailed by the service",
  markFulfilled: "mark as fulfilled",
  tagOrders: "tag orders",
  startFlows: "start Shopify Flow",
  refundPolicy: "refunds",
  reminderDays: "days of reminders",
  detailsEndDays: "days until reminders end",
  retentionMonths: "months that data is kept",
  email: "email address",
  ...ALERT_NAMES,
  clientId: "client ID",
  clientSecret: "client secret",
  signingScheme: "signing scheme",
  signingHeader: "signing header",
  signingSecret: "signing secret",
  formerSecrets: "former signing secrets",
};

/** What a setting is called where its changes are told. */
const settingName = (name: string): string => SETTINGS[name] ?? name;

/**
 * Settings that somebody else changed meanwhile, each with what is stored and what this person wants. Of people, of texts
 * in several parts and of secrets only that they differ is told.
 */
export const describeConflicts = (conflicts: readonly Conflict[]): string =>
  conflicts
    .map(({ name, saved, wished }) => {
      const [now, yours] = [valueText(saved), valueText(wished)];
      const values = now === null || yours === null ? "" : ` (now ${now}, yours ${yours})`;
      return `${settingName(name)}${values}`;
    })
    .join(", ");

/** A plain value in words; null for anything else. */
function valueText(value: unknown): string | null {
  if (value === null || value === "") return "empty";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.replaceAll("_", " ");
  return Array.isArray(value) && value.every((one) => typeof one === "number")
    ? value.join(", ") || "empty"
    : null;
}

const RIGHTS: Record<StaffRight, string> = {
  see_results: "open results",
  release_results: "release results",
  see_phones: "see a patient’s phone number",
  export_data: "download data",
  erase_data: "delete data",
  change_policies: "change settings",
  change_credentials: "change a connection",
  assign_roles: "change a role",
};

const SENTENCES: Record<SettingKind, (detail: AccessDetail) => string> = {
  policies_changed: (detail) => `changed ${settingsOf(detail)}`,
  reminders_changed: (detail) => `changed ${settingsOf(detail)}`,
  alerts_changed: (detail) => alertsOf(detail),
  retention_changed: (detail) => `changed ${settingsOf(detail)}`,
  clinical_texts_accepted: ({ version }) => `accepted the clinical texts of version ${version}`,
  credentials_changed: ({ environment }) => `changed the credentials for ${environment}`,
  signing_changed: ({ environment, ...detail }) =>
    `changed ${settingsOf(detail)} for ${environment}`,
  connection_removed: ({ environment }) => `disconnected ${environment}`,
  practitioners_changed: ({ deed, providerNumber }) => `${deed} the practitioner ${providerNumber}`,
  role_changed: ({ name, from, to }) => `made ${name} ${roleName(to)} (was ${roleName(from)})`,
  staff_refused: ({ right }) =>
    `was not allowed to ${RIGHTS[right as StaffRight] ?? "do something"}`,
  orders_exported: () => "downloaded orders as CSV",
  sign_in_refused: ({ count }) => `${countOf(Number(count), "sign-in")} refused`,
  signature_refused: ({ count }) =>
    `${countOf(Number(count), "message")} with a wrong signature refused`,
};

const isSetting = (what: string): what is SettingKind =>
  (SETTING_KINDS as readonly string[]).includes(what);

/** One change of the settings, or refusal, in words; null for what the settings do not show. */
export function describeSettingChange({
  who,
  what,
  actorName,
  detail,
}: AccessEntry): string | null {
  if (!isSetting(what)) return null;
  const deed = SENTENCES[what](detail ?? {});
  if (who === "unknown") return deed;
  return `${actorName ?? SOMEBODY[who] ?? "Pathway"} ${deed}`;
}

/** Somebody whose name the log does not have. */
const SOMEBODY: Partial<Record<AccessParty, string>> = {
  staff: "A member of staff",
  link: "Somebody who gets alerts",
};

/** A change of who is emailed of what. The log knows no address. */
function alertsOf({ deed, recipient, kinds }: AccessDetail): string {
  const names = String(kinds ?? "")
    .split(" ")
    .flatMap((kind) => ALERT_NAMES[kind as AlertKind]?.toLowerCase() ?? [])
    .join(", ");
  switch (deed) {
    case "added":
      return `added somebody who gets alerts (${names || "none yet"})`;
    case "removed":
      return "removed somebody who got alerts";
    case "stopped":
      return `stopped them with the link in an email (${names})`;
    default: {
      const whose = recipient === CONTACT_ID ? "the contact address" : "somebody";
      return `changed which alerts ${whose} gets (now ${names || "none"})`;
    }
  }
}

function settingsOf(detail: AccessDetail): string {
  return Object.entries(detail)
    .map(([name, change]) => {
      const label = settingName(name);
      return change === "changed" ? label : `${label} (${String(change).replaceAll("_", " ")})`;
    })
    .join(", ");
}

const roleName = (role: AccessDetail[string] | undefined): string =>
  (ROLE_NAMES[role as StaffRole] ?? "another role").toLowerCase();
