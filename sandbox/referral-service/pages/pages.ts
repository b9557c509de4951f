import type { ConsoleDependencies } from "../console/dependencies.ts";
import type { Route } from "../http/router.ts";
import { accountPages } from "./account-pages.ts";
import { apiKeyPage } from "./api-key-page.ts";
import { overviewPage } from "./overview-page.ts";
import { providerNumberPage } from "./provider-number-page.ts";
import { referralListPage } from "./referral-list-page.ts";
import { referralPage } from "./referral-page.ts";
import { serverPages } from "./server-pages.ts";
import { signInPages } from "./sign-in-pages.ts";
import { webhookPage } from "./webhook-page.ts";

/** The web application's pages for people. */
export function pages(dependencies: ConsoleDependencies): Route[] {
  return [
    ...signInPages(dependencies),
    ...overviewPage(dependencies),
    ...accountPages(dependencies),
    ...apiKeyPage(dependencies),
    ...webhookPage(dependencies),
    ...providerNumberPage(dependencies),
    ...referralListPage(dependencies),
    ...referralPage(dependencies),
    ...serverPages(dependencies),
  ];
}
