import { randomUUID } from "node:crypto";
import { gid, type ShopDomain, type VariantId } from "../../app/modules/kernel/ids.ts";
import type { StoreOrder, StoreOrderLine } from "../../app/modules/orders/order.ts";
import type { Patient } from "../../app/modules/patients/patient.ts";
import { referenceNumber } from "../../app/modules/referrals/reference-number.ts";
import type { ReleaseRecord } from "../../app/modules/referrals/referral-repository.ts";
import type { OrderedItems } from "../../app/modules/referrals/referral-service.ts";
import type { Environment } from "../../app/modules/shops/connection.ts";
import type { ShopSettings } from "../../app/modules/shops/shop.ts";
import { START } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { putRequest } from "./put-request.ts";

export const ONE_TEST: OrderedItems = {
  bundleId: null,
  tests: ["fbc"],
  medicareTests: [],
  practitioner: null,
};

export const PATIENT: Patient = {
  firstName: "Ada",
  lastName: "Citizen",
  email: "ada@example.com",
  phone: "0412345678",
  dob: "1990-01-02",
  gender: "female",
  address: {
    addressLine1: "1 High St",
    addressLine2: null,
    city: "Melbourne",
    state: "VIC",
    postCode: "3000",
    country: "Australia",
  },
};

let shops = 0;

/** The staff of every seeded shop, who may do everything. */
export const MANAGERS = ["staff:1", "staff:2", "staff:7", "staff:9"];

/** Somebody who reads held results: without a reviewer a shop holds nothing. */
export const REVIEWER = {
  name: "Dr Robin Reader",
  phone: "02 5550 1234",
  email: "robin@example.com",
};
/** How the reviewer releases a result. */
export const RELEASE: ReleaseRecord = { name: REVIEWER.name, comment: null, contacted: false };

/**
 * Writes the rows of a shop that was installed. Every third test begins here, and the use cases take 12 ms more of a processor
 * for the same rows. `database.test.ts` holds that they are the same.
 */
const INSTALLED = `
  WITH installed AS (
    INSERT INTO shops (shop, installed_at, first_installed_at, customer_accounts) VALUES ($1, $2, $2, 'legacy')
  )
  INSERT INTO staff_members (shop, staff, name, is_account_owner, identified_at)
  SELECT $1, staff, 'Mo Manager', true, $2 FROM unnest($3::text[]) AS staff`;

/**
 * Installs a shop that nobody else has, with managers who may do everything; returns its domain. Buyers are mailed links of
 * their own there, and need no store to sign them in.
 */
export async function installedShop(
  db: TestDatabase,
  settings: Partial<ShopSettings> = {},
): Promise<ShopDomain> {
  const shop: ShopDomain = `shop-${++shops}.myshopify.com`;
  await db.sealers.forShop(shop);
  await db.pool.query(INSTALLED, [shop, START, MANAGERS]);
  if (Object.keys(settings).length > 0)
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings(settings));
  return shop;
}

/** Gives a shop a connection; where it leads to is the ports' business. */
export async function connect(
  db: TestDatabase,
  shop: ShopDomain,
  environment: Environment = "staging",
): Promise<void> {
  const credentials = { clientId: "id", clientSecret: "secret" };
  const signing = { scheme: "none" as const, header: null, secret: null };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.connections.save({ environment, credentials, signing }),
  );
}

/** Says that a variant means an order of one test. */
export async function mapVariant(
  db: TestDatabase,
  shop: ShopDomain,
  variantId: VariantId,
  {
    environment = "staging",
    items = ONE_TEST,
  }: { environment?: Environment; items?: OrderedItems } = {},
): Promise<void> {
  const productId = gid("Product", 1);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({ environment, variantId, productId, kind: "order", items }),
  );
}

/** An installed shop that sells one test: its first variant, as `orderLine` has it, means `ONE_TEST` in staging. */
export async function mappedShop(db: TestDatabase): Promise<ShopDomain> {
  const shop = await installedShop(db);
  await mapVariant(db, shop, gid("ProductVariant", 1));
  return shop;
}

/** A paid order as the store tells it. */
export function storeOrder(fields: Partial<StoreOrder> = {}): StoreOrder {
  return {
    id: gid("Order", 1001),
    name: "#1001",
    paid: true,
    paidInPart: false,
    test: false,
    cancelledAt: null,
    processedAt: START,
    updatedAt: START,
    customerId: gid("Customer", 7),
    buyer: {
      firstName: "Sam",
      lastName: "Buyer",
      email: "sam@example.com",
      phone: null,
      address: null,
      statusUrl: "https://shop.example/orders/1001",
    },
    lines: [orderLine()],
    ...fields,
  };
}

export function orderLine(
  fields: Partial<StoreOrderLine> & { number?: number } = {},
): StoreOrderLine {
  const { number = 1, ...rest } = fields;
  const quantity = rest.quantity ?? 1;
  return {
    id: gid("LineItem", number),
    title: `Test ${number}`,
    sku: null,
    productId: gid("Product", number),
    variantId: gid("ProductVariant", number),
    quantity,
    currentQuantity: quantity,
    ...rest,
  };
}

/** A paid order of one line, of which so many units are left. */
export const bought = (quantity: number, left = quantity): StoreOrder =>
  storeOrder({ lines: [orderLine({ quantity, currentQuantity: left })] });

/** One unit of an order's first line whose details are still to come, as it is added. */
export const newRequest = (
  shop: ShopDomain,
  { id: orderId, customerId }: Pick<StoreOrder, "id" | "customerId">,
  { unit = 1, items = ONE_TEST }: { unit?: number; items?: OrderedItems } = {},
) => {
  const fact = { orderId, lineItemId: gid("LineItem", 1), unit, generation: 1 };
  return {
    ...fact,
    id: randomUUID(),
    environment: "staging" as const,
    referenceNumber: referenceNumber({ shop, ...fact }),
    title: "Iron studies",
    items,
    customerId,
    order: { paidAt: START, isTest: false },
  };
};

/** A request of this shop that only waits for being sent; returns its id. */
export async function readyRequest(
  db: TestDatabase,
  shop: ShopDomain,
  { items = ONE_TEST, orderNumber = 1001 }: { items?: OrderedItems; orderNumber?: number } = {},
): Promise<string> {
  const order = { id: gid("Order", orderNumber), customerId: gid("Customer", 7) };
  const request = newRequest(shop, order, { items });
  const { id } = request;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.requests.add([request], START);
    await tenant.requests.savePatient(id, { patient: PATIENT, medicare: null }, START);
    await putRequest(tenant, id, { state: "ready" });
  });
  return id;
}
