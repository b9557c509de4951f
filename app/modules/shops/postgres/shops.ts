import { Prisma } from "../../../generated/prisma/client.ts";
import { TIME_ZONE } from "../../../platform/calendar-day.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { assignments, rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { WHOLE_SHOP } from "../../../platform/encryption/subject.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import { ENVIRONMENTS } from "../connection.ts";
import {
  type ClinicalContact,
  type CollectionFinder,
  CUSTOMER_ACCOUNTS,
  type HelpDetails,
  type NoticeDetails,
  REFUND_POLICIES,
  RELEASE_POLICIES,
  type Reviewer,
  SERVICE_CURRENCY,
  type Shop,
  type ShopRepository,
} from "../shop.ts";

type ShopRow = NonNullable<Awaited<ReturnType<Scope["tx"]["shop"]["findUnique"]>>>;

const readShops = rowsOf<ShopRow>("shops", Object.values(Prisma.ShopScalarFieldEnum));

export function shopRepository({ tx, shop }: Scope): ShopRepository {
  const lock = `install ${shop}`;
  const settingsLock = `settings ${shop}`;
  const repository: ShopRepository = {
    async find() {
      const [row] = await readShops(tx, Prisma.sql`shop = ${shop}`);
      if (!row) return null;
      const { emailByService, markFulfilled, tagOrders, startFlows, setupDismissedAt } = row;
      const { epoch, scope, holdOrders, holdHighRisk, strictMode, minimumAge, name } = row;
      const { installedAt, firstInstalledAt, retentionMonths, retentionChosenAt, accessRefusedAt } =
        row;
      return {
        shop,
        epoch,
        scope,
        holdOrders,
        holdHighRisk,
        strictMode,
        minimumAge,
        name,
        timeZone: row.timeZone ?? TIME_ZONE,
        currency: row.currency ?? SERVICE_CURRENCY,
        reminderDays: row.reminderDays,
        detailsEndDays: row.detailsEndDays,
        emailByService,
        markFulfilled,
        tagOrders,
        startFlows,
        setupDismissedAt,
        installedAt,
        firstInstalledAt,
        accessRefusedAt,
        storeId: row.storeId,
        otherStoreId: row.otherStoreId,
        retentionMonths,
        retentionChosenAt,
        installed: row.uninstalledAt === null,
        customerAccounts: parseEnum(CUSTOMER_ACCOUNTS, row.customerAccounts),
        environment: parseEnum(ENVIRONMENTS, row.environment),
        releasePolicy: parseEnum(RELEASE_POLICIES, row.releasePolicy),
        refundPolicy: parseEnum(REFUND_POLICIES, row.refundPolicy),
        ...reviewOf(row),
        help: { email: row.helpEmail, phone: row.helpPhone, hours: row.helpHours },
        collectionFinder: finderOf(row),
        notice: {
          recipient: row.noticeRecipient,
          sendsOverseas: row.noticeOverseas,
          countries: row.noticeCountries,
          policyUrl: row.noticePolicyUrl,
          complaints: row.noticeComplaints,
        },
      };
    },
    async findForInstall() {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
      await tx.$executeRaw`SELECT FROM shops WHERE shop = ${shop} FOR UPDATE`;
      return repository.find();
    },
    async findBeforeSave() {
      // Shared, and no lock of the row: orders of one shop are read beside each other, and some of them write to it.
      await unanswered(
        tx,
        Prisma.sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${settingsLock}, 0))`,
      );
      return repository.find();
    },
    async lockSettings() {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${settingsLock}, 0))`;
    },
    async findBeforeInstall() {
      // Locks the name: a shop that was never installed has no row to lock.
      await unanswered(
        tx,
        Prisma.sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${lock}, 0))`,
      );
      return repository.find();
    },
    async install(scope, at) {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
      const { count: added } = await tx.shop.createMany({
        data: [{ shop, scope, installedAt: at, firstInstalledAt: at }],
        skipDuplicates: true,
      });
      if (added > 0) {
        // It may have waited here for its own erasure, whose note ends after a restore what was installed before it.
        await tx.$executeRaw`
          UPDATE shops SET installed_at = erased.later, first_installed_at = erased.later
          FROM (SELECT max(erased_at) + interval '1 ms' AS later FROM tombstones
                WHERE store = ${shop} AND subject = ${WHOLE_SHOP}) AS erased
          WHERE shop = ${shop} AND installed_at < erased.later`;
        return true;
      }
      const [was] = await tx.$queryRaw<{ hasLeft: boolean; isRefused: boolean }[]>`
        SELECT uninstalled_at IS NOT NULL AS "hasLeft", access_refused_at IS NOT NULL AS "isRefused"
        FROM shops WHERE shop = ${shop}`;
      // Erased since it was found to be there.
      if (!was) return repository.install(scope, at);
      const back = was.hasLeft ? { uninstalledAt: null, epoch: { increment: 1 } } : {};
      // Signed in just now, so it is installed now: an uninstall of before, whose message is late, is over.
      await tx.shop.updateMany({
        where: { shop },
        data: { scope, installedAt: at, accessRefusedAt: null, ...back },
      });
      return was.hasLeft || was.isRefused;
    },
    async uninstall(at) {
      const { count } = await tx.shop.updateMany({
        where: { shop, uninstalledAt: null, installedAt: { lte: at } },
        data: { uninstalledAt: at },
      });
      // Its tokens are revoked at Shopify; ours are destroyed, and so are those of the service.
      if (count > 0) {
        await tx.session.deleteMany({ where: { shop } });
        await tx.connection.updateMany({ where: { shop }, data: { tokensSealed: null } });
      }
      return count > 0;
    },
    async setRetention(retentionMonths, chosenAt) {
      const chosen = chosenAt && { retentionChosenAt: chosenAt };
      await tx.shop.updateMany({ where: { shop }, data: { retentionMonths, ...chosen } });
    },
    async recordFacts({ scopes: scope, accounts: customerAccounts, ...facts }) {
      const values = assignments({ scope, customerAccounts, ...facts });
      await tx.$executeRaw`UPDATE shops SET ${values} WHERE shop = ${shop}`;
    },
    async identify(storeId) {
      // Two domains whose store tells its id at once come one after the other.
      const name = `store ${storeId}`;
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
      const { count: isFirst } = await tx.shop.updateMany({
        where: { shop, storeId: null },
        data: { storeId },
      });
      if (isFirst === 0)
        await tx.$executeRaw`
          UPDATE shops SET other_store_id = nullif(${storeId}, store_id)
          WHERE shop = ${shop} AND other_store_id IS DISTINCT FROM nullif(${storeId}, store_id)`;
      else if (await repository.hasOtherName())
        await tx.shop.updateMany({ where: { shop }, data: { holdOrders: true } });
    },
    async hasOtherName() {
      const [row] = await tx.$queryRaw<{ has: boolean }[]>`SELECT has_other_name() AS has`;
      return row?.has ?? false;
    },
    async orderedUnderOtherName(orderId) {
      const [row] = await tx.$queryRaw<{ was: boolean }[]>`
        SELECT ordered_under_other_name(${orderId}) AS was`;
      return row?.was ?? false;
    },
    async otherNameThatOrdered(orderId, storeId) {
      const [row] = await tx.$queryRaw<{ name: ShopDomain | null }[]>`
        SELECT other_name_that_ordered(${orderId}, ${storeId}) AS name`;
      return row?.name ?? null;
    },
    async presentName() {
      const [row] = await tx.$queryRaw<
        { name: ShopDomain | null }[]
      >`SELECT present_name() AS name`;
      return row?.name ?? null;
    },
    async updateSettings({
      reviewer,
      clinicalContact,
      help,
      collectionFinder,
      notice,
      ...settings
    }) {
      const data = {
        ...settings,
        ...reviewerColumns(reviewer),
        ...contactColumns(clinicalContact),
        ...helpColumns(help),
        ...finderColumns(collectionFinder),
        ...noticeColumns(notice),
      };
      await tx.shop.updateMany({ where: { shop }, data });
    },
    async setContactEmail(contactEmail) {
      await tx.$executeRaw`UPDATE shops SET contact_email = ${contactEmail} WHERE shop = ${shop}`;
    },
    async acceptClinicalTexts({ version, at, by }) {
      await tx.shop.updateMany({
        where: { shop },
        data: {
          clinicalTextsVersion: version,
          clinicalTextsAcceptedAt: at,
          clinicalTextsAcceptedBy: by,
        },
      });
    },
    async rename(name) {
      await tx.$executeRaw`
        UPDATE shops SET name = ${name} WHERE shop = ${shop} AND name IS DISTINCT FROM ${name}`;
    },
    async dismissSetup(at) {
      await tx.shop.updateMany({ where: { shop }, data: { setupDismissedAt: at } });
    },
  };
  return repository;
}

/** Reads the settings for the review of results from the row. */
function reviewOf(
  row: ShopRow,
): Pick<
  Shop,
  "contactEmail" | "reviewer" | "clinicalContact" | "releaseAfterHours" | "clinicalTexts"
> {
  const { contactEmail, releaseAfterHours, reviewerName, reviewerPhone, reviewerEmail } = row;
  const { clinicalContactName, clinicalContactPhone } = row;
  const { clinicalTextsVersion, clinicalTextsAcceptedAt, clinicalTextsAcceptedBy } = row;
  return {
    contactEmail,
    releaseAfterHours,
    reviewer:
      reviewerName && reviewerPhone && reviewerEmail
        ? { name: reviewerName, phone: reviewerPhone, email: reviewerEmail }
        : null,
    clinicalContact:
      clinicalContactName && clinicalContactPhone
        ? { name: clinicalContactName, phone: clinicalContactPhone }
        : null,
    clinicalTexts:
      clinicalTextsVersion && clinicalTextsAcceptedAt && clinicalTextsAcceptedBy
        ? {
            version: clinicalTextsVersion,
            at: clinicalTextsAcceptedAt,
            by: clinicalTextsAcceptedBy,
          }
        : null,
  };
}

/** Undefined leaves the columns as they are; null empties them. */
function reviewerColumns(reviewer: Reviewer | null | undefined) {
  if (reviewer === undefined) return {};
  return {
    reviewerName: reviewer?.name ?? null,
    reviewerPhone: reviewer?.phone ?? null,
    reviewerEmail: reviewer?.email ?? null,
  };
}

const helpColumns = (help: HelpDetails | undefined) =>
  help && { helpEmail: help.email, helpPhone: help.phone, helpHours: help.hours };

const finderOf = ({ finderName, finderUrl }: ShopRow): CollectionFinder | null =>
  finderName && finderUrl ? { name: finderName, url: finderUrl } : null;

const finderColumns = (finder: CollectionFinder | null | undefined) =>
  finder === undefined ? {} : { finderName: finder?.name ?? null, finderUrl: finder?.url ?? null };

const noticeColumns = (notice: NoticeDetails | undefined) =>
  notice && {
    noticeRecipient: notice.recipient,
    noticeOverseas: notice.sendsOverseas,
    noticeCountries: notice.countries,
    noticePolicyUrl: notice.policyUrl,
    noticeComplaints: notice.complaints,
  };

function contactColumns(contact: ClinicalContact | null | undefined) {
  if (contact === undefined) return {};
  return {
    clinicalContactName: contact?.name ?? null,
    clinicalContactPhone: contact?.phone ?? null,
  };
}
