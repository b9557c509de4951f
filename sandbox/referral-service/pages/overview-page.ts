import type { ConsoleDependencies } from "../console/dependencies.ts";
import { createOrganisation } from "../console/organisation-routes.ts";
import type { Route } from "../http/router.ts";
import { form, textField } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { type PageVisit, pageRoutes } from "./page-route.ts";

interface Step {
  name: string;
  done: boolean;
  href: string;
  action: string;
}

/** The way to API access, in the order that the service requires (interface §1.8). */
function stepsOf({ core }: ConsoleDependencies, { account, organisation }: PageVisit): Step[] {
  const keys = organisation ? core.stores.credentials.list(organisation.id) : [];
  const webhook = organisation ? core.stores.webhooks.find(organisation.id) : null;
  return [
    { name: "Create an account", done: true, href: "/profile", action: "View" },
    {
      name: "Complete and verify your profile",
      done: account.verified,
      href: "/profile",
      action: "Open profile",
    },
    {
      name: "Create an organisation",
      done: organisation !== null,
      href: "#organisation",
      action: "Create below",
    },
    {
      name: "Add a valid billing method",
      done: organisation?.billing === "valid",
      href: "/organisation",
      action: "Open billing",
    },
    {
      name: "Enable API access",
      done: keys.length > 0,
      href: "/api-keys",
      action: "Open API keys",
    },
    {
      name: "Register a webhook for events (optional)",
      done: webhook !== null,
      href: "/webhook",
      action: "Open webhook",
    },
  ];
}

function stepMarkup(step: Step): Html {
  const state = step.done
    ? html`<span class="badge good">Done</span>`
    : html`<span class="badge warn">To do</span>`;
  return html`<li>${state}<span>${step.name}</span>${!step.done && html`<a href="${step.href}">${step.action}</a>`}</li>`;
}

/** The first page: what is left to do, and where the service listens. */
export function overviewPage(dependencies: ConsoleDependencies): Route[] {
  const { addresses, options } = dependencies.core;
  return pageRoutes(dependencies, {
    path: "/",
    section: "/",
    show: (visit) => ({
      title: visit.organisation?.name ?? "Welcome",
      lead: `This is the ${options.environment} environment. It is independent of any other: accounts, organisations and credentials work here only.`,
      body: html`<section class="card"><h2>Steps to API access</h2><ol class="steps">${stepsOf(dependencies, visit).map(stepMarkup)}</ol></section>
${
  !visit.organisation &&
  html`<section class="card" id="organisation"><h2>Create an organisation</h2>${form(
    "/found",
    "Create organisation",
    textField({ name: "name", label: "Name of the organisation" }),
  )}</section>`
}
<section class="card"><h2>Addresses</h2><dl><dt>API (base_url)</dt><dd><code>${addresses.baseUrl}</code></dd><dt>Token service (auth_url)</dt><dd><code>${addresses.authUrl}</code></dd><dt>Web application (app_url)</dt><dd><code>${addresses.appUrl}</code></dd><dt>Descriptions</dt><dd><a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a></dd></dl></section>`,
    }),
    forms: {
      found: ({ account }, fields) => {
        createOrganisation(dependencies, account, { name: fields.get("name") ?? "" });
        return { kind: "go", location: "/?done=created" };
      },
    },
  });
}
