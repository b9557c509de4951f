import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { SettingsPage } from "../../components/form/settings-page.tsx";
import { loadSettings } from "../app.settings/load-settings.server.ts";
import { settingsAction } from "../app.settings/settings-action.server.ts";
import { AlertsSection } from "./alerts-section.tsx";
import { FormEmailSection } from "./form-email-section.tsx";
import { RemindersSection } from "./reminders-section.tsx";

export const meta: MetaFunction = () => [{ title: "Notifications · Pathway" }];

export async function loader(args: LoaderFunctionArgs) {
  const { policies, reminders, alerts } = await loadSettings(args);
  return { emailByService: policies.emailByService, reminders, alerts };
}

export const action = (args: ActionFunctionArgs) => settingsAction(args);

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function NotificationsPage() {
  const { emailByService, reminders, alerts } = useLoaderData<typeof loader>();
  return (
    <SettingsPage title="Notifications">
      <RemindersSection saved={reminders} />
      <FormEmailSection isByService={emailByService} />
      <AlertsSection saved={alerts} />
    </SettingsPage>
  );
}
