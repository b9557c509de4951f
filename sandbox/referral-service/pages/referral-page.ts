import type { ConsoleDependencies } from "../console/dependencies.ts";
import { benchFields, statusFields } from "../console/referral-routes.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import { addressLine } from "../referrals/address-line.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { type Referral, referralStatuses } from "../referrals/referral.ts";
import { hasForm } from "../referrals/referral-view.ts";
import { setStatus } from "../referrals/set-status.ts";
import { verifyReferral } from "../referrals/verify-referral.ts";
import { arriveResults } from "../results/arrive.ts";
import { summarise } from "../results/measurement.ts";
import { releaseResult } from "../results/release-result.ts";
import type { Result } from "../results/result-store.ts";
import { checkbox, form, selectField, textField } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { organisationOf, type PageVisit, pageRoutes } from "./page-route.ts";
import { statusBadge } from "./status-badge.ts";

const chance = [
  ["", "By chance"],
  ["yes", "At least one"],
  ["no", "None"],
] as const;

function facts(dependencies: ConsoleDependencies, referral: Referral): Html {
  const { signedAddresses } = dependencies.core;
  const { document } = referral;
  const { person } = document;
  const attachment = hasForm(referral)
    ? html`<a href="${signedAddresses.sign({ kind: "referral", uuid: referral.uuid, edition: referral.issueNumber })}">Referral form (PDF)</a>`
    : "none";
  return html`<dl><dt>Status</dt><dd>${statusBadge(referral.status)}</dd><dt>Identifier</dt><dd><code>${referral.uuid}</code></dd><dt>Your reference</dt><dd>${referral.referenceNumber}</dd><dt>Patient</dt><dd>${person.firstName} ${person.lastName}, ${person.gender}, born ${person.dob}</dd><dt>Address</dt><dd>${addressLine(person.address)}</dd><dt>Tests</dt><dd>${document.tests.join(", ")}</dd><dt>Bundle</dt><dd>${document.productName ?? "none"}</dd><dt>Origin</dt><dd>${document.origin}</dd><dt>Practitioner</dt><dd>${document.medicare?.orderingPractitioner.name ?? "none"}</dd><dt>Form</dt><dd>${attachment}</dd><dt>Email sent</dt><dd>${referral.emailSentAtMs === null ? "no" : new Date(referral.emailSentAtMs).toISOString()}</dd></dl>`;
}

function resultFacts(dependencies: ConsoleDependencies, referral: Referral, result: Result): Html {
  const { signedAddresses } = dependencies.core;
  const { normal, abnormal, critical, total } = summarise(result.arrived);
  const report =
    result.released &&
    html`<p><a href="${signedAddresses.sign({ kind: "result", uuid: result.uuid, edition: result.version })}">Result report (PDF)</a></p>`;
  return html`<section class="card"><h2>Result</h2><p><span class="badge">${result.status}</span> ${total} biomarkers: ${normal} normal, ${abnormal} abnormal, ${critical} critical</p>${report}${
    result.status === "IN_REVIEW" &&
    form(`/referrals/${referral.uuid}/release`, "Release to the integrator", null)
  }</section>`;
}

function bench(referral: Referral): Html {
  const base = `/referrals/${referral.uuid}`;
  return html`<section class="card"><h2>Lab bench</h2>${form(
    `${base}/results`,
    "Send results",
    html`<div class="row">${selectField({ name: "abnormal", label: "Abnormal values", value: "", choices: chance })}${selectField({ name: "critical", label: "Critical values", value: "", choices: chance })}${textField({ name: "seed", label: "Seed", hint: "Equal seeds give equal values." })}</div>${checkbox({ name: "partial", label: "Only a part, more to follow", checked: false })}`,
  )}</section><section class="card"><h2>State</h2>${form(
    `${base}/status`,
    "Set state",
    selectField({
      name: "status",
      label: "Put the referral into",
      value: referral.status,
      choices: referralStatuses.map((status) => [status, status]),
    }),
  )}</section>`;
}

/** One referral with everything a laboratory, a patient or fate could do to it. */
export function referralPage(dependencies: ConsoleDependencies): Route[] {
  const { core } = dependencies;
  const find = (visit: PageVisit): Referral => {
    const referral = core.stores.referrals.find(organisationOf(visit).id, visit.params.uuid ?? "");
    if (!referral) throw new ApiError(404, "REFERRAL_NOT_FOUND", "Referral not found");
    return referral;
  };
  const done = (referral: Referral) =>
    ({ kind: "go", location: `/referrals/${referral.uuid}?done=changed` }) as const;
  const wish = (value: string | null) =>
    value === "yes" ? true : value === "no" ? false : undefined;
  return pageRoutes(dependencies, {
    path: "/referrals/{uuid}",
    section: "/referrals",
    needsOrganisation: true,
    show: (visit) => {
      const referral = find(visit);
      const result = core.stores.results.findByReferral(referral.uuid);
      return {
        title: `Referral ${referral.document.reference}`,
        body: html`<section class="card">${facts(dependencies, referral)}${
          referral.status === "PENDING_VERIFICATION" &&
          form(`/referrals/${referral.uuid}/verify`, "Complete patient verification", null)
        }</section>${result && resultFacts(dependencies, referral, result)}${bench(referral)}`,
      };
    },
    forms: {
      verify: (visit) => done(verifyReferral(core, find(visit))),
      status: (visit, fields) =>
        done(
          setStatus(
            core,
            find(visit),
            parsePayload(statusFields, { status: fields.get("status") }).status,
          ),
        ),
      results: (visit, fields) => {
        const arrival = parsePayload(benchFields, {
          partial: fields.has("partial"),
          abnormal: wish(fields.get("abnormal")),
          critical: wish(fields.get("critical")),
          seed: fields.get("seed") || undefined,
        });
        return done(arriveResults(core, find(visit), arrival).referral);
      },
      release: (visit) => {
        const referral = find(visit);
        const result = core.stores.results.findByReferral(referral.uuid);
        if (!result) throw new ApiError(404, "RESULT_NOT_FOUND", "Result not found");
        releaseResult(core, result, visit.account.email);
        return done(referral);
      },
    },
  });
}
