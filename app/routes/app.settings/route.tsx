import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Page } from "@shopify/polaris";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readTeam } from "../../modules/reports/read-team.ts";
import { describeSettings } from "../../modules/reports/settings-words.ts";
import { loadMaintenance, loadSettings } from "./load-settings.server.ts";
import { settingsAction } from "./settings-action.server.ts";
import { SettingsList } from "./settings-list.tsx";

export const meta: MetaFunction = () => [{ title: "Settings · Pathway" }];

export async function loader(args: LoaderFunctionArgs) {
  const { shop, actor } = await args.context.merchant(args.request);
  const { ports } = args.context.app;
  const settings = await loadSettings(args);
  const { orderImport, retentionMonths } = await loadMaintenance(args);
  const { members } = await readTeam(ports, { shop, actor });
  return {
    entries: describeSettings({
      ...settings,
      retentionMonths,
      missedOrders: orderImport?.findings ?? null,
      members,
    }),
    addresses: settings.connections.flatMap(({ environment, connection }) =>
      connection?.webhookAddress ? [{ environment, address: connection.webhookAddress }] : [],
    ),
  };
}

export const action = (args: ActionFunctionArgs) => settingsAction(args);

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function SettingsHome() {
  const { entries, addresses } = useLoaderData<typeof loader>();
  return (
    <Page title="Settings" narrowWidth>
      <SettingsList entries={entries} />
      {/* Programs that set the app up read the addresses here, as a manager (sandbox/world/drivers/app-pages.ts). */}
      {addresses.map(({ environment, address }) => (
        <input
          key={environment}
          type="hidden"
          id={`webhook-address-${environment}`}
          value={address}
          readOnly
        />
      ))}
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
