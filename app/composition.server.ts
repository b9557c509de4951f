/** Long because it is one list: every part of the app, made once and handed to those that need it. */
/**
 * The only place where things are wired together. Everything is made once for a process and handed on; no
 * module keeps a connection or a setting of its own.
 */

import { openDocumentBodies } from "./clients/documents/open-document-bodies.ts";
import { createSmtpMailer } from "./clients/mail/smtp-mailer.ts";
import { createAttachmentFetcher } from "./clients/referral-service/attachments/attachment-fetcher.ts";
import { createCircuitBreaker } from "./clients/referral-service/circuit-breaker.ts";
import { createBody } from "./clients/referral-service/create-body.ts";
import { readEvent } from "./clients/referral-service/events/read-event.ts";
import { receiveEvent } from "./clients/referral-service/events/receive-event.ts";
import { createEventSender } from "./clients/referral-service/events/send-self-test.ts";
import {
  eventSigning,
  isSignedInForm,
  verifyEvent,
} from "./clients/referral-service/events/verify-event.ts";
import { describeFailure } from "./clients/referral-service/failures/describe-failure.ts";
import { ownConnections, sharedConnections } from "./clients/referral-service/http/transport.ts";
import { inSeries } from "./clients/referral-service/middleware.ts";
import { createRateLimiter } from "./clients/referral-service/rate-limiter.ts";
import { createTokenSource } from "./clients/referral-service/tokens/token-source.ts";
import { createCustomerAuth, type SignedInCustomer } from "./clients/shopify/customer-auth.ts";
import { createOrderRiskReader } from "./clients/shopify/order-risk.ts";
import { createOrderStatusPublisher } from "./clients/shopify/order-status-publisher.ts";
import { proxyFormToken, readProxyCall } from "./clients/shopify/proxy-signature.ts";
import { READ_TOPICS, readWebhook } from "./clients/shopify/read-webhook.ts";
import { createShopify } from "./clients/shopify/shopify.ts";
import { createStoreAccess } from "./clients/shopify/store-access.ts";
import { createStoreFactsReader } from "./clients/shopify/store-facts.ts";
import { createStoreOrderList } from "./clients/shopify/store-order-list.ts";
import { createStoreOrders } from "./clients/shopify/store-orders.ts";
import { createStoreProducts } from "./clients/shopify/store-products.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { createTasks, JOB_NAMES } from "./jobs/definitions.ts";
import { type ShopDomain, shopDomain } from "./modules/kernel/ids.ts";
import { createErasureNotes } from "./modules/privacy/postgres/erasure-notes.ts";
import { createShopEraser } from "./modules/privacy/postgres/shop-eraser.ts";
import { createTimelineEnder } from "./modules/privacy/postgres/timeline-ender.ts";
import type { ReferralServices } from "./modules/referrals/ports.ts";
import type { ReferralService } from "./modules/referrals/referral-service.ts";
import { createWorkHealth } from "./modules/reports/postgres/work-health.ts";
import type { Environment } from "./modules/shops/connection.ts";
import type { StaffLookups } from "./modules/shops/identify-staff.ts";
import { createConnectionSecrets } from "./modules/shops/postgres/connection-secrets.ts";
import { createLeasedTokens } from "./modules/shops/postgres/connection-tokens.ts";
import type { ConnectionShares } from "./platform/database/connection-shares.ts";
import { openProcessDatabase, openProcessPool } from "./platform/database/database.ts";
import { createDatabaseClock } from "./platform/database/database-clock.ts";
import { readDocumentsId, shopIn } from "./platform/database/documents-id.ts";
import { createMailJournal } from "./platform/database/mail-journal.ts";
import {
  identityCheck,
  type Restored,
  requireNoted,
} from "./platform/database/pause-after-restore.ts";
import { createRestoreJournal } from "./platform/database/restore-journal.ts";
import { recordServedUntil } from "./platform/database/served-until.ts";
import { createEpochs } from "./platform/encryption/epochs.ts";
import type { KeyStore } from "./platform/encryption/key-store.ts";
import { readMasterKeys } from "./platform/encryption/master-keys.ts";
import { createSealers } from "./platform/encryption/sealers.ts";
import type { ProcessSettings } from "./platform/env.ts";
import { errorCode } from "./platform/error-code.ts";
import type { Logger } from "./platform/logger.ts";
import { createTelling } from "./platform/telling.ts";
import { tolerate } from "./platform/tolerate.ts";
import type { Ports } from "./ports.ts";
import type { SealingOptions } from "./queue/access-sealing.ts";
import { createCallLog } from "./queue/call-log.ts";
import { createInboxRouter } from "./queue/inbox-router.ts";
import { createRefusalLog } from "./queue/refusal-log.ts";
import { createTenancy } from "./tenancy.ts";
import { createIntake } from "./web/intake/intake.ts";
import { INTAKE_CONNECTIONS } from "./web/limits.ts";

export type App = Awaited<ReturnType<typeof compose>>;

/** Addresses of the service's two environments (interface, head: {base_url}, {auth_url}, {app_url}). */
export interface ServiceAddresses {
  baseUrl: string;
  authUrl: string;
  appUrl: string | null;
}

/** The sender of mails that go to a server of this machine alone, where nobody named one. */
const NO_SENDER = "Pathway <no-reply@pathway.invalid>";

/** The log's line when sending is paused because the database is another one. */
const RESTORED = "restored: nothing is sent until the service's lists have been compared";

/**
 * Joins everything that a process needs, and nothing of it twice: the one place that knows pools, keys, clients and use cases
 * together. Starts nothing: process.ts does.
 */
export function compose(
  env: ProcessSettings,
  start: {
    access: DatabaseAccess;
    connections: ConnectionShares;
    masterKeys: string;
    keyStore: KeyStore;
    logger: Logger;
  },
) {
  const { logger } = start;
  const { databaseUrl, processUrl, intakeUrl, tenantKey } = start.access;
  const onRestored = (restored: Restored) => {
    logger.warn(restored, RESTORED);
    // Another server: its keys may be others than those that were read before.
    sealers.forgetAll();
    mailJournal.lookAgain();
    restoreJournal.lookAgain();
    // While this is not known, more forms count as not announced, and are announced once more.
    if (restored.because === "identity")
      recordServedUntil(database.pool, start.keyStore).catch(
        tolerate(logger, "restore.served-until"),
      );
  };
  const isLossNews = createTelling();
  const onConnectionLost = (error: unknown) => {
    if (isLossNews(errorCode(error))) logger.warn({ err: error }, "idle database connection lost");
  };
  const database = openProcessDatabase({
    ...{ url: databaseUrl, processUrl, tenantKey },
    ...{ connections: start.connections, isPooled: env.DATABASE_DIRECT_URL !== undefined },
    onError: onConnectionLost,
    onConnect: identityCheck(onRestored),
  });
  const clock = createDatabaseClock({ pool: database.pool, logger });
  const mailJournal = createMailJournal(database.pool, start.keyStore);
  const restoreJournal = createRestoreJournal(database.pool, start.keyStore);
  const masterKeys = readMasterKeys(start.masterKeys);
  const epochs = createEpochs(start.keyStore, masterKeys);
  const sealers = createSealers(database.pool, masterKeys, epochs);
  const wakers = new Set<() => void>();
  const wakeRelay = () => {
    for (const wake of wakers) wake();
  };
  const tenancy = createTenancy({
    ...{ database, sealers, onJobs: wakeRelay, onRestored, logger },
    restoreJournal,
  });
  /** One log of the audit: a shop's, or the installation's own. */
  const inLog: SealingOptions["inLog"] = (log, work) => {
    const shop = shopDomain(log);
    return shop ? tenancy.inShop(shop, work) : tenancy.inInstallation(work);
  };
  const refusals = createRefusalLog({
    ...{ inLog, clock, logger },
    isOurs: (shop) => sealers.knows(shop),
  });
  const callLog = createCallLog({ tenancy, clock, logger });
  const secrets = createConnectionSecrets(database.pool, sealers);
  const addresses = serviceAddresses(env);
  const abortOnShutdown = new AbortController();

  const shopify = createShopify({
    database,
    sealers,
    logger,
    appUrl: env.SHOPIFY_APP_URL,
    apiKey: env.SHOPIFY_API_KEY,
    apiSecret: env.SHOPIFY_API_SECRET,
    apiOrigin: env.SHOPIFY_API_ORIGIN,
    async onSignedIn(shop, signedIn) {
      const { installShop } = await import("./modules/lifecycle/install-shop.ts");
      return installShop({ tenancy, clock, logger }, { shop, ...signedIn });
    },
  });

  // Opened for an erasure alone, which may take minutes: the relay must not wait for its connection meanwhile.
  const erasurePool = openProcessPool({
    ...{ url: processUrl, tenantKey, poolSize: 1 },
    ...{ onError: onConnectionLost, onConnect: identityCheck(onRestored) },
  });
  const transport = sharedConnections();
  const services: ReferralServices = rememberingServices(async (shop, environment) => {
    const credentials = await secrets.credentials(shop, environment);
    const address = addresses[environment];
    if (!credentials || !address) return null;
    const { createReferralServiceClient } = await import("./clients/referral-service/client.ts");
    return {
      identity: `${credentials.clientId} ${credentials.clientSecret} ${credentials.apiVersion}`,
      make: () =>
        createReferralServiceClient({
          environment,
          baseUrl: address.baseUrl,
          vendor: env.REFERRAL_SERVICE_VENDOR,
          apiVersion: credentials.apiVersion,
          transport,
          clock,
          timeouts: { createMs: env.PATHWAY_CREATE_TIMEOUT_MS },
          createTransport: ownConnections(),
          abortOnShutdown: abortOnShutdown.signal,
          onCall: (call) => callLog.note(shop, environment, call),
          middleware: inSeries(createCircuitBreaker({ clock }), createRateLimiter({ clock })),
          tokens: createTokenSource({
            authUrl: address.authUrl,
            credentials,
            transport,
            clock,
            ...createLeasedTokens({ pool: database.pool, logger }, secrets, shop, environment),
          }),
        }),
    };
  });

  const ports: Ports = {
    tenancy,
    services,
    eventSender: createEventSender({
      fetch,
      clock,
      async connection(shop, environment) {
        const connection = await tenancy.inShop(shop, (t) => t.connections.find(environment));
        const token = connection?.addressToken;
        const found = token ? await secrets.byAddress(token) : null;
        if (!found) return null;
        const address = `${env.SHOPIFY_APP_URL}/events/${token}`;
        return { address, signing: found.signing };
      },
    }),
    orderRisk: createOrderRiskReader(shopify.graphql),
    storeOrders: createStoreOrders(shopify.graphql),
    storeOrderList: createStoreOrderList(shopify.graphql),
    storeAccess: createStoreAccess(shopify.graphql, (shop) =>
      tenancy.inShop(shop, ({ shops }) => shops.find()),
    ),
    storeFacts: createStoreFactsReader(shopify.graphql),
    storeProducts: createStoreProducts(shopify.graphql),
    orderStatusPublisher: createOrderStatusPublisher(shopify.graphql),
    shopEraser: createShopEraser(erasurePool),
    timelineEnder: createTimelineEnder(database.pool),
    erasureNotes: createErasureNotes(epochs),
    attachments: createAttachmentFetcher({ allowedHosts: attachmentHosts(env, addresses) }),
    documentBodies: openDocumentBodies(env, {
      databaseId: () => readDocumentsId(database.pool),
      isUsed: async (store) => (await shopIn(database.pool, store)) !== null,
      logger,
    }),
    mailJournal,
    mailer: createSmtpMailer({ url: env.SMTP_URL, from: env.MAIL_FROM ?? NO_SENDER }),
    clock,
    logger,
    waits: {
      createTimeoutMs: env.PATHWAY_CREATE_TIMEOUT_MS,
      quarantineMs: env.PATHWAY_QUARANTINE_MS,
      erasureDelayMs: env.PATHWAY_ERASURE_DELAY_MS,
      documentOverdueMs: env.PATHWAY_DOCUMENT_OVERDUE_MS,
      syncIntervalMs: env.PATHWAY_SYNC_INTERVAL_MS,
      reminderDayMs: env.PATHWAY_REMINDER_DAY_MS,
      mailWindowMs: env.PATHWAY_MAIL_WINDOW_MS,
      escalationHourMs: env.PATHWAY_ESCALATION_HOUR_MS,
    },
    maintenanceIntervalMs: env.PATHWAY_MAINTENANCE_INTERVAL_MS,
    emailByService: env.PATHWAY_EMAIL_BY_SERVICE,
    appUrl: env.SHOPIFY_APP_URL,
    accountPageUrl: (shop) => `${env.SHOPIFY_API_ORIGIN ?? `https://${shop}`}/apps/pathway`,
    adminPageUrl: (shop, path) =>
      `${env.SHOPIFY_ADMIN_ORIGIN}/store/${shop.replace(".myshopify.com", "")}/apps/${env.SHOPIFY_API_KEY}${path}`,
  };

  const shopifySecrets = [env.SHOPIFY_API_SECRET, env.SHOPIFY_API_SECRET_PREVIOUS].flatMap(
    (secret) => secret ?? [],
  );
  // Its own connections, opened with the first message: whatever pages and work wait for, a message does not.
  const intakePool = openProcessPool({
    ...{ url: intakeUrl, tenantKey },
    poolSize: INTAKE_CONNECTIONS,
    onError: onConnectionLost,
    onConnect: requireNoted(tenancy.noticeSwitch),
  });
  const intakeSealers = sealers.readingOn(intakePool);
  const intakeSecrets = createConnectionSecrets(intakePool, intakeSealers);
  let isIntakeFailing = false;
  let isIntakeElsewhere = false;
  const intake = createIntake({
    pool: intakePool,
    isElsewhere: () => isIntakeElsewhere,
    sealers: intakeSealers,
    clock,
    logger,
    shopifySecrets,
    eventAddresses: (token) => intakeSecrets.byAddress(token),
    isEventSignedInForm: isSignedInForm,
    verifyEvent: ({ body, headers, signing }) =>
      verifyEvent({ rawBody: body, headers, clock, signing: eventSigning(signing) }).kind ===
      "verified",
    readEvent({ signing, ...delivery }) {
      const event = receiveEvent({ ...delivery, signing, now: clock.now() });
      return event.kind === "received" ? event : null;
    },
    onStored() {
      isIntakeFailing = false;
      wakeRelay();
    },
    onNotStored() {
      isIntakeFailing = true;
    },
    refusals,
  });

  const readers = {
    readMessage: readWebhook,
    readEvent: (body: Buffer) => readEvent(body, {}),
  };
  const loadTasks = () => createTasks({ ...ports, ...readers });

  return {
    env,
    logger,
    database,
    clock,
    sealers,
    masterKeys,
    epochs,
    inLog,
    tryTenant: tenancy.tryTenant,
    refusals,
    callLog,
    mailJournal,
    restoreJournal,
    staffLookups: new Map() as StaffLookups,
    ports,
    shopify,
    customerAuth: createCustomerAuth(shopify.decodeSessionToken),
    /** Reads a call that came through the shop's own domain; null when Shopify did not sign it. */
    proxyCall: (address: string) =>
      readProxyCall(address, { secrets: shopifySecrets, now: clock.now() }),
    proxyFormToken: (customer: SignedInCustomer) =>
      proxyFormToken(env.SHOPIFY_API_SECRET, customer),
    serviceAddresses: addresses,
    /** Whether work moves, in whatever process. */
    readWorkHealth: createWorkHealth(database.pool, JOB_NAMES),
    onRestored,
    /** Words for failures of the service, for pages, which know no adapter. */
    describeFailure,
    /** The body of a create call, for a person to read before it is made. */
    createBody,
    intake,
    intakePool,
    /** Whether the last message that was to be stored was not. */
    isIntakeFailing: () => isIntakeFailing,
    /** Registers whether messages would be stored in another database than the work is in. */
    noteIntakeElsewhere(isElsewhere: boolean) {
      isIntakeElsewhere = isElsewhere;
    },
    loadTasks,
    inboxRouter: createInboxRouter({ sealers, topics: READ_TOPICS, ...readers, logger, clock }),
    /** Gives up create calls under way, because this process stops: they become unclear, and are resolved. */
    abortCreates: () => abortOnShutdown.abort(),
    /** Registers what is to be woken when there is something to relay. */
    onWork: (wake: () => void) => wakers.add(wake),
  };
}

function serviceAddresses(env: ProcessSettings): Record<Environment, ServiceAddresses | null> {
  const production = env.REFERRAL_SERVICE_PRODUCTION_BASE_URL;
  return {
    staging: {
      baseUrl: env.REFERRAL_SERVICE_STAGING_BASE_URL,
      authUrl: env.REFERRAL_SERVICE_STAGING_AUTH_URL,
      appUrl: env.REFERRAL_SERVICE_STAGING_APP_URL ?? null,
    },
    production: production
      ? {
          baseUrl: production,
          authUrl: env.REFERRAL_SERVICE_PRODUCTION_AUTH_URL ?? production,
          appUrl: env.REFERRAL_SERVICE_PRODUCTION_APP_URL ?? null,
        }
      : null,
  };
}

function attachmentHosts(
  env: ProcessSettings,
  addresses: Record<Environment, ServiceAddresses | null>,
): string[] {
  const own = Object.values(addresses).flatMap((one) => (one ? [new URL(one.baseUrl).host] : []));
  return env.REFERRAL_ATTACHMENT_HOSTS ?? own;
}

/**
 * One client for each connection, so that its token, its pace and its circuit are shared. Credentials are
 * looked up each time: another process may have replaced them.
 */
function rememberingServices(
  look: (
    shop: ShopDomain,
    environment: Environment,
  ) => Promise<{ identity: string; make: () => ReferralService } | null>,
): ReferralServices {
  const known = new Map<string, { identity: string; service: ReferralService }>();
  return {
    async forConnection(shop, environment) {
      const key = `${shop} ${environment}`;
      const found = await look(shop, environment);
      if (!found) return null;
      const remembered = known.get(key);
      if (remembered?.identity === found.identity) return remembered.service;
      const service = found.make();
      known.set(key, { identity: found.identity, service });
      return service;
    },
  };
}
