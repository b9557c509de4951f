/** Long because it is one database: all repositories that the ledger uses, over the same rows and locks. */

import type { DraftRepository } from "../../app/modules/access/draft.ts";
import type { Mapping, MappingRepository } from "../../app/modules/catalogue/mapping.ts";
import type { PublishedDetailsRepository } from "../../app/modules/catalogue/published.ts";
import type { AccessLogRepository, NewAccessEntry } from "../../app/modules/kernel/access-log.ts";
import {
  gid,
  type OrderId,
  type ShopDomain,
  type VariantId,
} from "../../app/modules/kernel/ids.ts";
import type { InboxRepository } from "../../app/modules/kernel/inbox.ts";
import type { NotificationRepository } from "../../app/modules/kernel/notification.ts";
import type { NewTimelineEntry, TimelineRepository } from "../../app/modules/kernel/timeline.ts";
import { isStale, type OrderRepository, type StoreOrder } from "../../app/modules/orders/order.ts";
import type { Consent, ConsentRepository } from "../../app/modules/patients/consent-repository.ts";
import type { CustomerRepository } from "../../app/modules/patients/customers.ts";
import type { CorrectionRepository } from "../../app/modules/referrals/correction.ts";
import type { DocumentRepository } from "../../app/modules/referrals/document.ts";
import {
  datesOf,
  type ReferralRepository,
  type ResultRepository,
  type StoredReferral,
} from "../../app/modules/referrals/referral-repository.ts";
import type { ReferralRequest } from "../../app/modules/referrals/request.ts";
import type {
  PatientOnRequest,
  RequestRepository,
  StalledWork,
} from "../../app/modules/referrals/request-repository.ts";
import type { RestoreRepository } from "../../app/modules/referrals/restore-repository.ts";
import type { UnreadableRepository } from "../../app/modules/referrals/unreadable-entry.ts";
import type { Job } from "../../app/modules/reports/jobs.ts";
import type { AlertRepository } from "../../app/modules/shops/alert.ts";
import type { ConnectionRepository } from "../../app/modules/shops/connection.ts";
import type { Shop, ShopRepository } from "../../app/modules/shops/shop.ts";
import type { Tenancy, Tenant } from "../../app/ports.ts";
import { only } from "./only.ts";
import type { Pause, Rows, Transaction } from "./rows.ts";

export interface QueuedJob {
  id: number;
  job: Job;
  startAfter: Date;
}

export interface RequestRow extends ReferralRequest {
  sealed: PatientOnRequest | null;
}
interface OrderRow {
  id: OrderId;
  order: StoreOrder;
  readAt: Date;
}
interface ShopRow extends Shop {
  installedAt: Date;
}

/** One process's way to the rows. `open` is told of each transaction, so that it can end with its process. */
export interface Connection {
  rows: Rows;
  pause: Pause;
  now: () => Date;
  open: (transaction: Transaction) => () => void;
}

let serial = 0;

/**
 * The domain's port to the database, in memory: what the ledger's use cases need of it, and nothing else. It
 * keeps the promises that tenancy-contract.test.ts holds PostgreSQL to.
 */
export function memoryTenancy({ rows, pause, now, open }: Connection): Tenancy {
  const tenancy: Tenancy = {
    // There is no other shop.
    inKnownShop: (shop, work) => tenancy.inShop(shop, work),
    async inShop(shop, work) {
      await pause("begin");
      const transaction = rows.begin(pause);
      const close = open(transaction);
      try {
        const value = await work(tenantOf({ shop, transaction, pause, now }));
        await pause("commit");
        transaction.commit();
        // The commit is done; whether its caller learns of it is another matter.
        await pause("committed");
        return value;
      } finally {
        transaction.rollback();
        close();
      }
    },
  };
  return tenancy;
}

interface Scope {
  shop: ShopDomain;
  transaction: Transaction;
  pause: Pause;
  now: () => Date;
}

function tenantOf({ shop, transaction: tx, pause, now }: Scope): Tenant {
  const read = async <T>(key: string) => {
    await pause("read");
    return tx.read<T>(key);
  };
  const scan = async <T>(prefix: string) => {
    await pause("read");
    return tx.scan<T>(prefix);
  };
  const change = async <T>(key: string, to: (row: T) => T | null) => {
    await pause("write");
    return tx.update<T>(key, to);
  };
  const insert = async <T>(key: string, row: T) => {
    await pause("write");
    return tx.insert(key, row);
  };
  const shopKey = `shop ${shop}`;
  const requestKey = (id: string) => `request ${shop} ${id}`;
  const requests = () => scan<RequestRow>(`request ${shop} `);
  const patch = (id: string, part: Partial<RequestRow>) =>
    change<RequestRow>(requestKey(id), (row) => ({ ...row, ...part, updatedAt: now() }));

  return only<Tenant>("tenant", {
    shop,
    shops: only<ShopRepository>("shops", {
      find: () => read<ShopRow>(shopKey),
      async findBeforeSave() {
        await pause("write");
        await tx.lock(`settings ${shop}`);
        return read<ShopRow>(shopKey);
      },
      async findBeforeInstall() {
        await pause("write");
        await tx.lock(`install ${shop}`);
        return read<ShopRow>(shopKey);
      },
      async findForInstall() {
        await pause("write");
        await tx.lock(`install ${shop}`);
        return read<ShopRow>(shopKey);
      },
      async install(scope, at) {
        await tx.lock(`install ${shop}`);
        const fresh: ShopRow = {
          shop,
          customerAccounts: "new",
          epoch: 1,
          installed: true,
          installedAt: at,
          firstInstalledAt: at,
          accessRefusedAt: null,
          storeId: null,
          otherStoreId: null,
          scope,
          environment: "staging",
          holdOrders: false,
          holdHighRisk: true,
          strictMode: false,
          minimumAge: 18,
          releasePolicy: "automatic",
          reviewer: null,
          clinicalContact: null,
          help: { email: null, phone: null, hours: null },
          collectionFinder: null,
          notice: {
            recipient: null,
            sendsOverseas: null,
            countries: null,
            policyUrl: null,
            complaints: null,
          },
          releaseAfterHours: 12,
          clinicalTexts: null,
          timeZone: "Australia/Sydney",
          currency: "AUD",
          contactEmail: null,
          retentionMonths: null,
          retentionChosenAt: null,
          refundPolicy: "ask",
          name: null,
          reminderDays: [],
          detailsEndDays: 30,
          emailByService: null,
          markFulfilled: false,
          tagOrders: false,
          startFlows: false,
          setupDismissedAt: null,
        };
        if (await insert(shopKey, fresh)) return true;
        const back = await change<ShopRow>(shopKey, (row) =>
          row.installed
            ? null
            : { ...row, installed: true, installedAt: at, scope, epoch: row.epoch + 1 },
        );
        if (!back) await change<ShopRow>(shopKey, (row) => ({ ...row, scope, installedAt: at }));
        return back !== null;
      },
      uninstall: async (at) =>
        (await change<ShopRow>(shopKey, (row) =>
          row.installed && row.installedAt <= at ? { ...row, installed: false } : null,
        )) !== null,
      async updateSettings(settings) {
        await change<ShopRow>(shopKey, (row) => ({ ...row, ...settings }));
      },
    }),
    requests: only<RequestRepository>("requests", {
      async add(added, at) {
        const ids: string[] = [];
        for (const one of added) {
          const { order: _, ...request } = one;
          const row: RequestRow = {
            ...request,
            state: "awaiting_details",
            stage: "awaiting_details",
            resultReason: null,
            reviewReason: null,
            reason: null,
            handledReason: null,
            cancellation: null,
            missingPart: null,
            riskAccepted: false,
            underAge: false,
            kept: false,
            replacedBy: null,
            owner: "buyer",
            invitedAt: null,
            acceptedAt: null,
            resultsHiddenAt: null,
            mailRefusedAt: null,
            redactedAt: null,
            remindersStoppedAt: null,
            hasPatient: false,
            consentAt: null,
            attempt: 0,
            attemptStartedAt: null,
            recoveryLowerBound: null,
            attemptDeadlineAt: null,
            emptyScans: 0,
            orderPaidAt: at,
            createdAt: at,
            updatedAt: at,
            sealed: null,
          };
          if (!(await insert(`reference ${shop} ${one.referenceNumber}`, one.id))) continue;
          if (await insert(requestKey(one.id), row)) ids.push(one.id);
        }
        return ids;
      },
      find: (id) => read<RequestRow>(requestKey(id)),
      findForUpdate: (id) => change<RequestRow>(requestKey(id), (row) => row),
      async findOfReferralForUpdate(uuid) {
        const stored = await read<StoredReferral>(`referral ${shop} ${uuid}`);
        return stored && change<RequestRow>(requestKey(stored.requestId), (row) => row);
      },
      findByReferenceNumber: async (referenceNumber) =>
        (await requests()).find((row) => row.referenceNumber === referenceNumber) ?? null,
      forOrder: async (orderId) => (await requests()).filter((row) => row.orderId === orderId),
      async forOrderForUpdate(orderId) {
        for (const row of await requests())
          if (row.orderId === orderId)
            await change<RequestRow>(requestKey(row.id), (current) => current);
        return (await requests()).filter((row) => row.orderId === orderId);
      },
      forCustomer: async (customerId) =>
        (await requests()).filter((row) => row.customerId === customerId),
      async write(id, { given, ...part }) {
        const details = given && { sealed: given.patient, consentAt: given.consentAt };
        const row = await patch(id, { ...part, ...(details && { ...details, hasPatient: true }) });
        if (!row) throw new Error("The request is gone");
        return row;
      },
      async setItems(id, items) {
        await patch(id, { items });
      },
      // No database of the model is ever lost.
      ownerSinceBackup: async () => null,
      isRedacted: async () => false,
      async savePatient(id, sealed, consentAt) {
        await patch(id, { sealed, hasPatient: true, consentAt });
      },
      async forgetPatient(id) {
        await patch(id, { sealed: null, hasPatient: false, consentAt: null });
      },
      patientOf: async (id) => (await read<RequestRow>(requestKey(id)))?.sealed ?? null,
      async stalled(environment, isTested = false) {
        const open = ["ready", "sending", "ambiguous"];
        const stalled = (await requests()).filter(
          (row) =>
            (environment ?? row.environment) === row.environment &&
            ((open.includes(row.state) && !row.reviewReason) ||
              (row.state === "ready" &&
                row.reviewReason?.code === "not_sent" &&
                (isTested || row.handledReason?.code !== "not_sent")) ||
              (row.state === "ambiguous" && row.reviewReason?.code === "unresolved") ||
              ((row.state === "sending" || row.state === "ambiguous") &&
                row.reviewReason?.code === "under_age") ||
              (row.state === "created" && row.cancellation?.status === "confirmed")),
        );
        const NAMES: Partial<Record<string, StalledWork["name"]>> = {
          ready: "create-referral",
          created: "delete-referrals",
        };
        return stalled.map(({ id: requestId, state }) => ({
          ...{ name: NAMES[state] ?? "resolve-ambiguous", shop, requestId },
        }));
      },
    }),
    // A draft that somebody typed decides nothing before it is accepted.
    drafts: only<DraftRepository>("drafts", { remove: async () => {} }),
    consents: only<ConsentRepository>("consents", {
      async add(requestId, consent) {
        await insert(`consent ${shop} ${requestId} ${serial++}`, consent);
      },
      forRequest: (requestId) => scan<Consent>(`consent ${shop} ${requestId} `),
    }),
    referrals: only<ReferralRepository>("referrals", {
      async save(environment, requestId, snapshot, at, more) {
        const key = `referral ${shop} ${snapshot.uuid}`;
        const before = await read<StoredReferral>(key);
        const dates = datesOf(snapshot, before, at);
        const serviceUpdatedAt = dates.updatedAt;
        if (before && before.serviceUpdatedAt > serviceUpdatedAt) return { outcome: "stale" };
        const { uuid, medicare, status, reference, origin } = snapshot;
        const row: StoredReferral = {
          ...{ uuid, environment, requestId, medicare, status, reference, origin },
          serviceCreatedAt: dates.createdAt,
          resultUuid: snapshot.resultsUuid,
          serviceUpdatedAt,
          deletedAt: snapshot.deletedAt ? new Date(snapshot.deletedAt) : null,
          fetchedAt: at,
          replacedBy: null,
          correction: 0,
          routingMessage: null,
          otherPerson: more?.otherPerson ?? null,
        };
        if (!(await insert(key, row))) await change(key, () => row);
        return { outcome: "stored", previousStatus: before?.status };
      },
      find: (uuid) => read<StoredReferral>(`referral ${shop} ${uuid}`),
      forRequests: async (ids) =>
        (await scan<StoredReferral>(`referral ${shop} `)).filter((row) =>
          ids.includes(row.requestId),
        ),
      async newestCreation(environment) {
        const times = (await scan<StoredReferral>(`referral ${shop} `))
          .filter((row) => row.environment === environment)
          .map((row) => row.serviceCreatedAt.getTime());
        return times.length > 0 ? new Date(Math.max(...times)) : null;
      },
      withoutTheirResult: async () => [],
    }),
    orders: only<OrderRepository>("orders", {
      async beginReading() {
        await pause("read");
        return now();
      },
      lock: (orderId) => tx.lock(`order ${shop} ${orderId}`),
      async record(order, _states, at) {
        await pause("write");
        await tx.lock(`order ${shop} ${order.id}`);
        const key = `order ${shop} ${order.id}`;
        const stored = tx.read<OrderRow>(key);
        if (stored && isStale(order, at, { ...stored, storeUpdatedAt: stored.order.updatedAt }))
          return "stale";
        const row: OrderRow = { id: order.id, order, readAt: at };
        if (await tx.insert(key, row)) return "first";
        await tx.update<OrderRow>(key, () => row);
        return "again";
      },
      async setAttention() {
        await pause("write");
        return false;
      },
      ignoredUnits: async () => new Map(),
      async variantOf(orderId, lineItemId) {
        const row = await read<OrderRow>(`order ${shop} ${orderId}`);
        const line = row?.order.lines.find((one) => one.id === lineItemId);
        return line?.variantId ? { variantId: line.variantId, productId: line.productId } : null;
      },
      // Nobody is told in the model.
      buyerOf: async () => null,
      lastReading: async () => null,
      async namesOf(ids) {
        const rows = await scan<OrderRow>(`order ${shop} `);
        return new Map(
          rows.filter(({ id }) => ids.includes(id)).map((row) => [row.id, row.order.name]),
        );
      },
    }),
    connections: only<ConnectionRepository>("connections", {
      // A shop that has the app has a connection.
      find: async (environment) => ({
        environment,
        clientId: "",
        credentialsAt: null,
        signingSecretAt: null,
        clientSince: null,
        addressToken: "",
        signingScheme: "none",
        signingHeader: null,
        hasSigningSecret: false,
        previousSecretUntil: null,
        lastEventAt: null,
        signedEventAt: null,
        lastTestedAt: null,
        answeredAt: null,
        failing: null,
        ordersFailingSince: null,
        outageToldSince: null,
        flowRefusedAt: null,
        lastTestOutcome: null,
        syncedThrough: null,
        syncPages: null,
        pausedAt: null,
        eventsRepaired: 0,
        eventsReceived: 0,
      }),
    }),
    mappings: only<MappingRepository>("mappings", {
      async forVariants(environment, variantIds) {
        await pause("read");
        const mapping = (variantId: VariantId): Mapping => ({
          environment,
          variantId,
          productId: gid("Product", 1),
          updatedAt: now(),
          kind: "order",
          items: { bundleId: null, tests: ["fbc"], medicareTests: [], practitioner: null },
        });
        return new Map(variantIds.map((id) => [id, mapping(id)]));
      },
    }),
    notifications: only<NotificationRepository>("notifications", {
      // Mails are no part of the model.
      unsent: async () => [],
      ofRequests: async () => [],
      noted: async (ids) => ids.map((requestId) => ({ requestId, isSent: true })),
      note: async () => false,
    }),
    alerts: only<AlertRepository>("alerts", {
      noteAttention: async () => {},
      recipients: async () => [],
    }),
    timeline: only<TimelineRepository>("timeline", {
      async add(...entries) {
        for (const entry of entries)
          await insert<NewTimelineEntry>(`timeline ${shop} ${++serial}`, entry);
      },
    }),
    accessLog: only<AccessLogRepository>("accessLog", {
      async add(...entries) {
        for (const entry of entries)
          await insert<NewAccessEntry>(`access ${shop} ${++serial}`, entry);
      },
    }),
    inbox: only<InboxRepository>("inbox", {
      async parkOrder(orderId) {
        await insert(`parked ${shop} ${orderId} ${++serial}`, { orderId });
      },
      async unpark() {
        // The relay would let them in; here the install does it at once.
        const parked = await scan<{ orderId: OrderId }>(`parked ${shop} `);
        for (const orderId of new Set(parked.map((row) => row.orderId)))
          await enqueue({ name: "reconcile-order", shop, orderId });
        return parked.length;
      },
    }),
    customers: only<CustomerRepository>("customers", {
      survivorOf: async (customerId) => customerId,
    }),
    corrections: only<CorrectionRepository>("corrections", {
      pending: async () => null,
    }),
    unreadable: only<UnreadableRepository>("unreadable", {
      record: async () => {},
      forget: async () => {},
      list: async () => [],
    }),
    restores: only<RestoreRepository>("restores", {
      pause: async () => null,
      holds: async () => ({ isSendingPaused: false, uuids: [] }),
      unclaimed: async () => [],
      forget: async () => {},
    }),
    documents: only<DocumentRepository>("documents", {
      missing: async () => [],
      awaitPdf: async () => null,
    }),
    results: only<ResultRepository>("results", {
      forRequests: async () => [],
      held: async () => [],
    }),
    publishedDetails: only<PublishedDetailsRepository>("publishedDetails", {
      doubtAll: async () => {},
      products: async () => [],
    }),
    jobs: { enqueue, traceOf: async () => null },
  });

  async function enqueue(job: Job, { startAfter }: { startAfter?: Date } = {}): Promise<void> {
    const id = ++serial;
    await insert<QueuedJob>(`job ${id}`, { id, job, startAfter: startAfter ?? now() });
  }
}
