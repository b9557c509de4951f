import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { SettingsPage } from "../../components/form/settings-page.tsx";
import { loadMaintenance, loadSettings } from "../app.settings/load-settings.server.ts";
import { settingsAction } from "../app.settings/settings-action.server.ts";
import { NoticeSection } from "./notice-section.tsx";
import { PrivacySection } from "./privacy-section.tsx";

export const meta: MetaFunction = () => [{ title: "Privacy · Pathway" }];

export async function loader(args: LoaderFunctionArgs) {
  const { notice, noticeText } = await loadSettings(args);
  return { notice, noticeText, maintenance: await loadMaintenance(args) };
}

export const action = (args: ActionFunctionArgs) => settingsAction(args);

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function PrivacyPage() {
  const { notice, noticeText, maintenance } = useLoaderData<typeof loader>();
  return (
    <SettingsPage title="Privacy">
      <PrivacySection {...maintenance} />
      <NoticeSection saved={notice} text={noticeText} />
    </SettingsPage>
  );
}
