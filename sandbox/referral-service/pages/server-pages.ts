import type { ConsoleDependencies } from "../console/dependencies.ts";
import { clockFields } from "../console/server-routes.ts";
import type { FaultSetting } from "../faults/fault-setting.ts";
import { type FaultSettings, faultSettings } from "../faults/fault-settings.ts";
import type { Route } from "../http/router.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { form, table, textField } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { organisationOf, pageRoutes } from "./page-route.ts";

const numberFaults = [
  ["createDelayMs", "Delay of create (ms)", "Wait before anything is stored."],
  [
    "createCommitThenDrop",
    "Store, then drop the connection",
    "Below 1 a rate, from 1 a count of creates.",
  ],
  [
    "createDropBeforeCommit",
    "Drop the connection, store nothing",
    "Below 1 a rate, from 1 a count of creates.",
  ],
  ["createLateCommitMs", "Drop, store later (ms)", "The referral appears this much later."],
  ["createCommitThenError", "Store, then answer 500", "Below 1 a rate, from 1 a count of creates."],
  ["errorRate", "Rate of 500 answers", "From 0 to 1, for every API call."],
  ["staleListMs", "Age at which lists show referrals (ms)", "Younger ones are left out."],
  ["attachmentStatus", "Status of PDF downloads", "For example 503; empty for none."],
] as const;

const webhookFaults = [
  ["drop", "Drop events", "A rate up to 1, above 1 a count."],
  ["duplicate", "Send events twice", "A rate up to 1, above 1 a count."],
  ["reorder", "Let events overtake each other", "A rate up to 1, above 1 a count."],
  ["delayMs", "Delay of events (ms)", "Before the first attempt."],
] as const;

/** A setting as the form's number fields show it. */
function shown(setting: FaultSetting | null): number | "" {
  if (setting === null) return "";
  if (typeof setting === "object") return "rate" in setting ? setting.rate : setting.count;
  return Number(setting);
}

function faultForm(settings: FaultSettings): Html {
  return html`<section class="card">${form(
    "/faults",
    "Set faults",
    html`<h2>Creates, lists and downloads</h2>${numberFaults.map(([name, label, hint]) =>
      textField({ name, label, hint, type: "number", value: shown(settings[name]) }),
    )}<h2>Rate limit</h2><div class="row">${textField({ name: "limit", label: "Calls", type: "number", value: settings.rateLimit?.limit })}${textField({ name: "windowMs", label: "In a window of (ms)", type: "number", value: settings.rateLimit?.windowMs })}</div>
<h2>Events</h2>${webhookFaults.map(([name, label, hint]) =>
      textField({
        name: `webhooks.${name}`,
        label,
        hint,
        type: "number",
        value: shown(settings.webhooks[name]),
      }),
    )}`,
  )}<p>${form("/faults/off", "Switch all faults off", null, true)}</p></section>`;
}

function readFaults(fields: URLSearchParams): FaultSettings {
  const number = (name: string) => {
    const value = fields.get(name) ?? "";
    return value === "" ? undefined : Number(value);
  };
  const limit = number("limit");
  const windowMs = number("windowMs");
  return parsePayload(faultSettings, {
    ...Object.fromEntries(numberFaults.map(([name]) => [name, number(name)])),
    attachmentStatus: number("attachmentStatus") || null,
    rateLimit: limit === undefined || windowMs === undefined ? null : { limit, windowMs },
    webhooks: Object.fromEntries(webhookFaults.map(([name]) => [name, number(`webhooks.${name}`)])),
  });
}

/** Faults, clock and emails. */
export function serverPages(dependencies: ConsoleDependencies): Route[] {
  const { core } = dependencies;
  return [
    ...pageRoutes(dependencies, {
      path: "/faults",
      section: "/faults",
      needsOrganisation: true,
      show: (visit) => ({
        title: "Faults",
        lead: visit.isConsole
          ? "Set with the console token, faults strike every organisation that has none of its own."
          : "Faults strike the calls of your organisation only.",
        body: faultForm(core.faults.of(organisationOf(visit).id).settings),
      }),
      forms: {
        "": (visit, fields) => {
          core.faults.set(
            visit.isConsole ? "everyone" : organisationOf(visit).id,
            readFaults(fields),
          );
          return { kind: "go", location: "/faults?done=saved" };
        },
        off: (visit) => {
          const scope = visit.isConsole ? "everyone" : organisationOf(visit).id;
          core.faults.set(scope, faultSettings.parse({}));
          return { kind: "go", location: "/faults?done=changed" };
        },
      },
    }),
    ...pageRoutes(dependencies, {
      path: "/clock",
      section: "/clock",
      show: () => ({
        title: "Clock",
        lead: "Moving the time forward makes tokens and signed addresses expire. It cannot be moved back.",
        body: html`<section class="card"><p>It is <strong>${new Date(core.clock.nowMs()).toISOString()}</strong> on this server.</p>${form(
          "/clock",
          "Move forward",
          textField({ name: "advanceSeconds", label: "Seconds", type: "number", value: 3600 }),
        )}</section>`,
      }),
      forms: {
        "": (_visit, fields) => {
          const body = { advanceSeconds: Number(fields.get("advanceSeconds") || Number.NaN) };
          core.clock.advance(parsePayload(clockFields, body).advanceSeconds);
          return { kind: "go", location: "/clock?done=changed" };
        },
      },
    }),
    ...pageRoutes(dependencies, {
      path: "/mails",
      section: "/mails",
      needsOrganisation: true,
      show: (visit) => {
        const rows = core.stores.mails
          .newest(organisationOf(visit).id, 100)
          .map(
            (mail) =>
              html`<tr><td>${new Date(mail.sentAtMs).toISOString().replace("T", " ").slice(0, 19)}</td><td>${mail.recipient}</td><td>${mail.referralUuids.map((uuid) => html`<a href="/referrals/${uuid}"><code>${uuid.slice(0, 8)}</code></a> `)}</td></tr>`,
          );
        return {
          title: "Emails",
          lead: "Referral emails to patients. They stay here; nothing leaves this machine.",
          body: html`<section class="card">${
            rows.length > 0
              ? table("Newest first", ["Sent (UTC)", "To", "Attached forms"], rows)
              : html`<p>No email was sent yet.</p>`
          }</section>`,
        };
      },
    }),
  ];
}
