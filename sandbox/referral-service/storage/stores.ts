import { createDeliveryStore, type DeliveryStore } from "../events/delivery-store.ts";
import { createWebhookStore, type WebhookStore } from "../events/webhook-store.ts";
import { type AccountStore, createAccountStore } from "../organisations/account-store.ts";
import { type CredentialStore, createCredentialStore } from "../organisations/credential-store.ts";
import {
  createOrganisationStore,
  type OrganisationStore,
} from "../organisations/organisation-store.ts";
import {
  createProviderNumberStore,
  type ProviderNumberStore,
} from "../organisations/provider-number-store.ts";
import { createMailStore, type MailStore } from "../referrals/mail-store.ts";
import { createReferralStore, type ReferralStore } from "../referrals/referral-store.ts";
import { createResultStore, type ResultStore } from "../results/result-store.ts";
import { createRefreshTokenStore, type RefreshTokenStore } from "../tokens/refresh-token-store.ts";
import type { Database } from "./database.ts";
import { createSettings, type Settings } from "./settings.ts";

/** Everything the service keeps, on one database. */
export interface Stores {
  database: Database;
  settings: Settings;
  accounts: AccountStore;
  organisations: OrganisationStore;
  credentials: CredentialStore;
  providerNumbers: ProviderNumberStore;
  refreshTokens: RefreshTokenStore;
  referrals: ReferralStore;
  results: ResultStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  mails: MailStore;
}

/** Builds all stores on an open database. */
export function createStores(database: Database): Stores {
  return {
    database,
    settings: createSettings(database),
    accounts: createAccountStore(database),
    organisations: createOrganisationStore(database),
    credentials: createCredentialStore(database),
    providerNumbers: createProviderNumberStore(database),
    refreshTokens: createRefreshTokenStore(database),
    referrals: createReferralStore(database),
    results: createResultStore(database),
    webhooks: createWebhookStore(database),
    deliveries: createDeliveryStore(database),
    mails: createMailStore(database),
  };
}
