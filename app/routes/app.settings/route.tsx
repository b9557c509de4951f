import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Page } from "@shopify/polaris";
import { readForm } from "../../components/form/read-form.server.ts";
import { SaveBarProvider } from "../../components/save-bar/save-bar.tsx";
import { readSettings } from "../../domain/overview/read-settings.ts";
import { applySettings } from "./apply-settings.ts";
import { ConnectionSection } from "./connection-section.tsx";
import { PoliciesSection } from "./policies-section.tsx";
import { presentSettings } from "./present-settings.ts";
import { readSettingsForm } from "./settings-form.ts";

export const meta: MetaFunction = () => [{ title: "Settings · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  return presentSettings(context.app, await readSettings(context.app.ports, shop));
}

/** The forms of this page; one that is refused answers 422 with a sentence for each field. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { shop } = await context.merchant(request);
  const reading = readSettingsForm(await readForm(request));
  if (reading.kind === "unknown") throw data(null, { status: 400 });
  const { form } = reading;
  if (reading.kind === "invalid") return data({ form, errors: reading.errors }, { status: 422 });
  const result = await applySettings(context.app.ports, shop, reading.value);
  return data({ form, ...result }, { status: result.errors ? 422 : 200 });
}

export default function SettingsPage() {
  const { connections, policies, missingScopes, now } = useLoaderData<typeof loader>();
  const connected = connections.filter((one) => one.connection).map((one) => one.environment);
  return (
    <Page title="Settings">
      <SaveBarProvider>
        <BlockStack gap={{ xs: "800", sm: "600" }}>
          {connections.map((one) => (
            <ConnectionSection key={one.environment} now={now} {...one} />
          ))}
          <PoliciesSection saved={policies} connected={connected} missingScopes={missingScopes} />
        </BlockStack>
        <Box paddingBlockEnd="800" />
      </SaveBarProvider>
    </Page>
  );
}
