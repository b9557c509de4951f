import { saveProfile, verifyProfile } from "../console/account-routes.ts";
import type { ConsoleDependencies } from "../console/dependencies.ts";
import { changeOrganisation } from "../console/organisation-routes.ts";
import type { Route } from "../http/router.ts";
import { checkbox, form, selectField, textField } from "./fields.ts";
import { html } from "./html.ts";
import { organisationOf, pageRoutes } from "./page-route.ts";

const practitionerTypes = [
  "General practitioner",
  "Specialist",
  "Nurse practitioner",
  "Naturopath",
  "Nutritionist",
  "Pharmacist",
  "Other",
].map((type) => [type, type] as const);

function profilePage(dependencies: ConsoleDependencies): Route[] {
  return pageRoutes(dependencies, {
    path: "/profile",
    section: "/profile",
    show: ({ account }) => ({
      title: "Profile",
      lead: "An organisation can only be created after the profile is complete and verified. Choose Other if no practitioner type fits.",
      body: html`<section class="card">${form(
        "/profile",
        "Save profile",
        html`${textField({ name: "firstName", label: "First name", value: account.firstName, autocomplete: "given-name" })}
${textField({ name: "lastName", label: "Last name", value: account.lastName, autocomplete: "family-name" })}
${selectField({ name: "practitionerType", label: "Practitioner type", value: account.practitionerType ?? "Other", choices: practitionerTypes })}`,
      )}</section>
<section class="card"><h2>Verification</h2>${
        account.verified
          ? html`<p><span class="badge good">Verified</span></p>`
          : html`<p class="hint">In this environment verification is immediate.</p>${form("/profile/verify", "Verify profile", null)}`
      }</section>`,
    }),
    forms: {
      "": ({ account }, fields) => {
        saveProfile(dependencies, account, Object.fromEntries(fields));
        return { kind: "go", location: "/profile?done=saved" };
      },
      verify: ({ account }) => {
        verifyProfile(dependencies, account);
        return { kind: "go", location: "/profile?done=verified" };
      },
    },
  });
}

const billingChoices = [
  ["valid", "Valid card: orders are charged"],
  ["declined", "Declined card: orders end as BILLING_FAILED"],
  ["none", "No billing method on file"],
] as const;

function organisationPage(dependencies: ConsoleDependencies): Route[] {
  return pageRoutes(dependencies, {
    path: "/organisation",
    section: "/organisation",
    needsOrganisation: true,
    show: (visit) => {
      const organisation = organisationOf(visit);
      return {
        title: "Organisation",
        lead: "No real card is ever charged here; choose how billing should turn out.",
        body: html`<section class="card">${form(
          "/organisation",
          "Save",
          html`${textField({ name: "name", label: "Name", value: organisation.name })}
${selectField({ name: "billing", label: "Billing method", value: organisation.billing, choices: billingChoices })}
<fieldset><legend>How orders and results are handled</legend>
${checkbox({ name: "holdResultsForReview", label: "Hold results for review until somebody releases them", checked: organisation.holdResultsForReview })}
${checkbox({ name: "requirePatientVerification", label: "Require patient verification before a referral is issued", checked: organisation.requirePatientVerification })}</fieldset>`,
        )}</section>`,
      };
    },
    forms: {
      "": (visit, fields) => {
        changeOrganisation(dependencies, organisationOf(visit), {
          name: fields.get("name") ?? "",
          billing: fields.get("billing") ?? "none",
          holdResultsForReview: fields.has("holdResultsForReview"),
          requirePatientVerification: fields.has("requirePatientVerification"),
        });
        return { kind: "go", location: "/organisation?done=saved" };
      },
    },
  });
}

/** Profile and organisation with billing. */
export function accountPages(dependencies: ConsoleDependencies): Route[] {
  return [...profilePage(dependencies), ...organisationPage(dependencies)];
}
