import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { SettingsPage } from "../../components/form/settings-page.tsx";
import { keepShown } from "../../components/loading/looks.ts";
import { loadMaintenance, loadSettings } from "../app.settings/load-settings.server.ts";
import { settingsAction } from "../app.settings/settings-action.server.ts";
import { OrderImportSection } from "./order-import.tsx";
import { OrdersSection } from "./orders-section.tsx";
import { PractitionersSection } from "./practitioners-section.tsx";

export const meta: MetaFunction = () => [{ title: "Order settings · Pathway" }];

export async function loader(args: LoaderFunctionArgs) {
  const { policies, refundsWaiting } = await loadSettings(args);
  return { policies, refundsWaiting, maintenance: await loadMaintenance(args) };
}

export const action = (args: ActionFunctionArgs) => settingsAction(args);

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function OrdersPage() {
  const { policies, refundsWaiting, maintenance } = useLoaderData<typeof loader>();
  return (
    <SettingsPage title="Orders">
      <OrdersSection saved={policies} refundsWaiting={refundsWaiting} />
      <PractitionersSection />
      <OrderImportSection {...maintenance} />
    </SettingsPage>
  );
}
