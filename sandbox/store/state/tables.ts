import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CustomerDocument } from "./customer.ts";
import type { DeliveryDocument } from "./delivery.ts";
import type {
  CredentialsDocument,
  CustomerSessionDocument,
  InstallDocument,
  TokenDocument,
} from "./install.ts";
import type { MailDocument } from "./mail.ts";
import type { MetafieldDocument } from "./metafield.ts";
import type { OrderDocument } from "./order.ts";
import type { ProductDocument } from "./product.ts";
import type { ShopDocument } from "./shop.ts";

/**
 * Documents of one kind, held in memory in insertion order and written through to the data folder when there is one.
 * A document that has been put is never changed in place: put a new one.
 */
export interface Table<T extends { id: string | number }> {
  get(id: T["id"]): T | undefined;
  all(): T[];
  put(document: T): T;
  delete(id: T["id"]): void;
  readonly size: number;
}

export interface Tables {
  shops: Table<ShopDocument>;
  products: Table<ProductDocument>;
  customers: Table<CustomerDocument>;
  orders: Table<OrderDocument>;
  metafields: Table<MetafieldDocument>;
  installs: Table<InstallDocument>;
  tokens: Table<TokenDocument>;
  credentials: Table<CredentialsDocument>;
  customerSessions: Table<CustomerSessionDocument>;
  deliveries: Table<DeliveryDocument>;
  mails: Table<MailDocument>;
  sequences: Table<{ id: string; last: number }>;
  close(): void;
}

/** Opens the tables: in memory only, or over `store.sqlite` in the given folder. */
export function openTables(directory: string | null): Tables {
  const database = directory === null ? null : openDatabase(directory);
  const table = <T extends { id: string | number }>(kind: string) => createTable<T>(kind, database);
  return {
    shops: table("shop"),
    products: table("product"),
    customers: table("customer"),
    orders: table("order"),
    metafields: table("metafield"),
    installs: table("install"),
    tokens: table("token"),
    credentials: table("credentials"),
    customerSessions: table("customer-session"),
    deliveries: table("delivery"),
    mails: table("mail"),
    sequences: table("sequence"),
    close: () => database?.close(),
  };
}

/** How long to wait for a store on the same folder that is about to end. */
const lockTimeoutMs = 3000;

function openDatabase(directory: string): DatabaseSync {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, "store.sqlite"), { timeout: lockTimeoutMs });
  // A folder has one store: what it holds is read once, and numbers are counted in memory.
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec(
    "CREATE TABLE IF NOT EXISTS document (position INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (kind, id))",
  );
  return database;
}

function createTable<T extends { id: string | number }>(
  kind: string,
  database: DatabaseSync | null,
): Table<T> {
  const documents = new Map<T["id"], T>();
  for (const row of database
    ?.prepare("SELECT json FROM document WHERE kind = ? ORDER BY position")
    .all(kind) ?? []) {
    // Only this function wrote the row, from a T.
    const document: T = JSON.parse(String(row.json));
    documents.set(document.id, document);
  }
  const write = database?.prepare(
    "INSERT INTO document (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json",
  );
  const remove = database?.prepare("DELETE FROM document WHERE kind = ? AND id = ?");
  return {
    get: (id) => documents.get(id),
    all: () => [...documents.values()],
    put(document) {
      documents.set(document.id, document);
      write?.run(kind, String(document.id), JSON.stringify(document));
      return document;
    },
    delete(id) {
      documents.delete(id);
      remove?.run(kind, String(id));
    },
    get size() {
      return documents.size;
    },
  };
}
