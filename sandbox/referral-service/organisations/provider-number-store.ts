import { integer, text } from "../storage/column.ts";
import type { Database } from "../storage/database.ts";

/** A Medicare provider number registered in Settings, Provider Numbers (interface §4.2 rule 9). */
export interface ProviderNumber {
  providerNumber: string;
  name: string;
  address: string;
  /** Whether a signature has been captured. */
  signature: boolean;
  /** Whether the laboratory routes this practitioner's Medicare results back automatically. */
  routing: boolean;
}

export interface ProviderNumberStore {
  find(organisationId: number, providerNumber: string): ProviderNumber | null;
  list(organisationId: number): ProviderNumber[];
  save(organisationId: number, entry: ProviderNumber): void;
  remove(organisationId: number, providerNumber: string): boolean;
}

/** Registered provider numbers on the given database. */
export function createProviderNumberStore(database: Database): ProviderNumberStore {
  const fromRow = (row: ReturnType<Database["all"]>[number]): ProviderNumber => ({
    providerNumber: text(row, "provider_number"),
    name: text(row, "name"),
    address: text(row, "address"),
    signature: integer(row, "signature") === 1,
    routing: integer(row, "routing") === 1,
  });
  return {
    find(organisationId, providerNumber) {
      const row = database.get(
        "SELECT * FROM provider_numbers WHERE organisation_id = ? AND provider_number = ?",
        organisationId,
        providerNumber,
      );
      return row ? fromRow(row) : null;
    },
    list: (organisationId) =>
      database
        .all(
          "SELECT * FROM provider_numbers WHERE organisation_id = ? ORDER BY name, provider_number",
          organisationId,
        )
        .map(fromRow),
    save(organisationId, entry) {
      database.run(
        `INSERT INTO provider_numbers (organisation_id, provider_number, name, address, signature, routing)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (organisation_id, provider_number) DO UPDATE
         SET name = excluded.name, address = excluded.address,
             signature = excluded.signature, routing = excluded.routing`,
        organisationId,
        entry.providerNumber,
        entry.name,
        entry.address,
        entry.signature ? 1 : 0,
        entry.routing ? 1 : 0,
      );
    },
    remove: (organisationId, providerNumber) =>
      database.run(
        "DELETE FROM provider_numbers WHERE organisation_id = ? AND provider_number = ?",
        organisationId,
        providerNumber,
      ) === 1,
  };
}
