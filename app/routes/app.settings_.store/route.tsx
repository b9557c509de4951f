import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { SettingsPage } from "../../components/form/settings-page.tsx";
import { loadSettings } from "../app.settings/load-settings.server.ts";
import { settingsAction } from "../app.settings/settings-action.server.ts";
import { StoreSection } from "./store-section.tsx";

export const meta: MetaFunction = () => [{ title: "Store · Pathway" }];

export async function loader(args: LoaderFunctionArgs) {
  const { policies, missingScopes, accountPageUrl } = await loadSettings(args);
  return { policies, missingScopes, accountPageUrl };
}

export const action = (args: ActionFunctionArgs) => settingsAction(args);

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function StorePage() {
  const { policies, missingScopes, accountPageUrl } = useLoaderData<typeof loader>();
  return (
    <SettingsPage title="Store">
      <StoreSection
        saved={policies}
        missingScopes={missingScopes}
        accountPageUrl={accountPageUrl}
      />
    </SettingsPage>
  );
}
