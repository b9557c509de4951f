import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { SettingsPage } from "../../components/form/settings-page.tsx";
import { loadSettings } from "../app.settings/load-settings.server.ts";
import { settingsAction } from "../app.settings/settings-action.server.ts";
import { ConnectionSection } from "./connection-section.tsx";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { EnvironmentSection } from "./environment-section.tsx";

export const meta: MetaFunction = () => [{ title: "Connection · Pathway" }];

export async function loader(args: LoaderFunctionArgs) {
  const { connections, policies, preflight, deliveries, now } = await loadSettings(args);
  return { connections, environment: policies.environment, preflight, deliveries, now };
}

export const action = (args: ActionFunctionArgs) => settingsAction(args);

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function ConnectionPage() {
  const { connections, environment, preflight, deliveries, now } = useLoaderData<typeof loader>();
  const connected = connections.filter((one) => one.connection).map((one) => one.environment);
  return (
    <SettingsPage title="Connection">
      {connections.map((one) => (
        <ConnectionSection key={one.environment} now={now} ordersGoTo={environment} {...one} />
      ))}
      {connected.length > 0 && <DeliveriesSection deliveries={deliveries} now={now} />}
      <EnvironmentSection
        saved={environment}
        preflight={preflight}
        connected={connected}
        offered={connections.map((one) => one.environment)}
      />
    </SettingsPage>
  );
}
