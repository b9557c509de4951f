import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Page } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { SaveBarProvider } from "../../components/save-bar/save-bar.tsx";
import { readSettings } from "../../modules/reports/read-settings.ts";
import { readUpkeep } from "../../modules/reports/read-upkeep.ts";
import { applySettings } from "./apply-settings.ts";
import { applyUpkeep } from "./apply-upkeep.ts";
import { ConnectionSection, connectionTitle } from "./connection-section.tsx";
import { MissedOrders } from "./missed-orders.tsx";
import { PoliciesSection } from "./policies-section.tsx";
import { PractitionersSection } from "./practitioners-section.tsx";
import { presentSettings } from "./present-settings.ts";
import { presentUpkeep } from "./present-upkeep.ts";
import { PrivacySection } from "./privacy-section.tsx";
import { RemindersSection } from "./reminders-section.tsx";
import { SectionLinks } from "./section-links.tsx";
import { readSettingsForm } from "./settings-form.ts";
import { readUpkeepForm } from "./upkeep-form.ts";

export const meta: MetaFunction = () => [{ title: "Settings · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { ports } = context.app;
  const upkeep = presentUpkeep(await readUpkeep(ports, shop), ports.clock.now());
  return { ...presentSettings(context.app, await readSettings(ports, shop)), upkeep };
}

/** Titles of the sections that follow those of the connections. */
const SECTIONS = ["Orders and results", "Practitioners", "Reminders", "Missed orders", "Privacy"];

/** The forms of this page; one that is refused answers 422 with a sentence for each field. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const actor = `staff:${sessionToken?.sub ?? "unknown"}` as const;
  const fields = await readForm(request);
  const upkeep = readUpkeepForm(fields);
  if (upkeep.kind === "invalid")
    return data({ form: upkeep.form, errors: upkeep.errors }, { status: 422 });
  if (upkeep.kind === "valid") {
    const result = await applyUpkeep(context.app.ports, { shop, actor }, upkeep.value);
    const answer: FormAnswer = { form: upkeep.form, ...result };
    return data(answer, { status: answer.errors ? 422 : 200 });
  }
  const reading = readSettingsForm(fields);
  if (reading.kind === "unknown") throw data(null, { status: 400 });
  const { form } = reading;
  if (reading.kind === "invalid") return data({ form, errors: reading.errors }, { status: 422 });
  const result = await applySettings(context.app.ports, { shop, actor }, reading.value);
  return data({ form, ...result }, { status: result.errors ? 422 : 200 });
}

export default function SettingsPage() {
  const {
    connections,
    policies,
    acceptedTexts,
    refundsWaiting,
    missingScopes,
    reminders,
    ...rest
  } = useLoaderData<typeof loader>();
  const { upkeep, now } = rest;
  const connected = connections.filter((one) => one.connection).map((one) => one.environment);
  return (
    <Page title="Settings">
      <SaveBarProvider>
        <SectionLinks titles={[...connections.map(connectionTitle), ...SECTIONS]} />
        <BlockStack gap={{ xs: "800", sm: "600" }}>
          {connections.map((one) => (
            <ConnectionSection key={one.environment} now={now} {...one} />
          ))}
          <PoliciesSection
            saved={policies}
            acceptedTexts={acceptedTexts}
            refundsWaiting={refundsWaiting}
            connected={connected}
            offered={connections.map((one) => one.environment)}
            missingScopes={missingScopes}
          />
          <PractitionersSection />
          <RemindersSection saved={reminders} />
          <MissedOrders now={now} {...upkeep} />
          <PrivacySection now={now} {...upkeep} />
        </BlockStack>
        <Box paddingBlockEnd="800" />
      </SaveBarProvider>
    </Page>
  );
}
