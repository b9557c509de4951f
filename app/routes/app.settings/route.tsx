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
import { readMaintenance } from "../../modules/reports/read-maintenance.ts";
import { readSettings } from "../../modules/reports/read-settings.ts";
import { applyMaintenance } from "./apply-maintenance.ts";
import { applySettings } from "./apply-settings.ts";
import { ConnectionSection, connectionTitle } from "./connection-section.tsx";
import { readMaintenanceForm } from "./maintenance-form.ts";
import { NoticeSection } from "./notice-section.tsx";
import { OrderImportSection } from "./order-import.tsx";
import { PoliciesSection } from "./policies-section.tsx";
import { PractitionersSection } from "./practitioners-section.tsx";
import { presentMaintenance } from "./present-maintenance.ts";
import { missingScopesOf, presentSettings } from "./present-settings.ts";
import { PrivacySection } from "./privacy-section.tsx";
import { RemindersSection } from "./reminders-section.tsx";
import { SectionLinks } from "./section-links.tsx";
import { readSettingsForm } from "./settings-form.ts";
import { TeamSection } from "./team-section.tsx";

export const meta: MetaFunction = () => [{ title: "Settings · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { ports } = context.app;
  const maintenance = presentMaintenance(await readMaintenance(ports, shop), ports.clock.now());
  const overview = await readSettings(ports, shop);
  const missingScopes = await missingScopesOf(ports, overview);
  return { ...presentSettings(context.app, overview, missingScopes), maintenance };
}

/** Titles of the sections that follow those of the connections. */
const SECTIONS = [
  "Orders and results",
  "Practitioners",
  "Team",
  "Reminders",
  "Import orders",
  "Collection notice",
  "Privacy",
];

/** The forms of this page; one that is refused answers 422 with a sentence for each field. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const fields = await readForm(request);
  const maintenance = readMaintenanceForm(fields);
  if (maintenance.kind === "invalid")
    return data({ form: maintenance.form, errors: maintenance.errors }, { status: 422 });
  if (maintenance.kind === "valid") {
    const result = await applyMaintenance(context.app.ports, { shop, actor }, maintenance.value);
    const answer: FormAnswer = { form: maintenance.form, ...result };
    return data(answer, { status: statusOf(answer) });
  }
  const reading = readSettingsForm(fields);
  if (reading.kind === "unknown") throw data(null, { status: 400 });
  const { form } = reading;
  if (reading.kind === "invalid") return data({ form, errors: reading.errors }, { status: 422 });
  const result = await applySettings(context.app.ports, { shop, actor }, reading.value);
  return data({ form, ...result }, { status: statusOf(result) });
}

/** 403 for what somebody's role does not let them do, 422 for fields that do not fit. */
const statusOf = ({ errors }: Pick<FormAnswer, "errors">) =>
  errors?.role ? 403 : errors ? 422 : 200;

export default function SettingsPage() {
  const {
    connections,
    policies,
    acceptedTexts,
    preflight,
    refundsWaiting,
    missingScopes,
    accountPageUrl,
    reminders,
    notice,
    noticeText,
    ...rest
  } = useLoaderData<typeof loader>();
  const { maintenance, now } = rest;
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
            preflight={preflight}
            refundsWaiting={refundsWaiting}
            connected={connected}
            offered={connections.map((one) => one.environment)}
            missingScopes={missingScopes}
            accountPageUrl={accountPageUrl}
          />
          <PractitionersSection />
          <TeamSection />
          <RemindersSection saved={reminders} />
          <OrderImportSection now={now} {...maintenance} />
          <NoticeSection saved={notice} text={noticeText} />
          <PrivacySection now={now} {...maintenance} />
        </BlockStack>
        <Box paddingBlockEnd="800" />
      </SaveBarProvider>
    </Page>
  );
}
