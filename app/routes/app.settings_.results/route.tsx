import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { SettingsPage } from "../../components/form/settings-page.tsx";
import { loadSettings } from "../app.settings/load-settings.server.ts";
import { settingsAction } from "../app.settings/settings-action.server.ts";
import { ResultsSection } from "./results-section.tsx";

export const meta: MetaFunction = () => [{ title: "Results and release · Pathway" }];

export async function loader(args: LoaderFunctionArgs) {
  const { policies, acceptedTexts, isReviewerRefused } = await loadSettings(args);
  return { policies, acceptedTexts, isReviewerRefused };
}

export const action = (args: ActionFunctionArgs) => settingsAction(args);

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function ResultsPage() {
  const { policies, acceptedTexts, isReviewerRefused } = useLoaderData<typeof loader>();
  return (
    <SettingsPage title="Results and release">
      <ResultsSection
        saved={policies}
        accepted={acceptedTexts}
        isReviewerRefused={isReviewerRefused}
      />
    </SettingsPage>
  );
}
