import { randomUUID } from "node:crypto";
import { integer, text } from "../storage/column.ts";
import type { Database, Row } from "../storage/database.ts";
import type { Billing, Organisation } from "./organisation.ts";

export interface OrganisationStore {
  find(id: number): Organisation | null;
  create(name: string): Organisation;
  save(organisation: Organisation): void;
}

function billing(value: string): Billing {
  return value === "valid" || value === "declined" ? value : "none";
}

function fromRow(row: Row): Organisation {
  return {
    id: integer(row, "id"),
    uuid: text(row, "uuid"),
    name: text(row, "name"),
    billing: billing(text(row, "billing")),
    holdResultsForReview: integer(row, "hold_results") === 1,
    requirePatientVerification: integer(row, "require_verification") === 1,
  };
}

/** Organisations on the given database. */
export function createOrganisationStore(database: Database): OrganisationStore {
  const find = (id: number): Organisation | null => {
    const row = database.get("SELECT * FROM organisations WHERE id = ?", id);
    return row ? fromRow(row) : null;
  };
  return {
    find,
    create(name) {
      const uuid = randomUUID();
      database.run("INSERT INTO organisations (uuid, name) VALUES (?, ?)", uuid, name);
      const row = database.get("SELECT * FROM organisations WHERE uuid = ?", uuid);
      if (!row) throw new Error("the organisation was not stored");
      return fromRow(row);
    },
    save(organisation) {
      database.run(
        "UPDATE organisations SET name = ?, billing = ?, hold_results = ?, require_verification = ? WHERE id = ?",
        organisation.name,
        organisation.billing,
        organisation.holdResultsForReview ? 1 : 0,
        organisation.requirePatientVerification ? 1 : 0,
        organisation.id,
      );
    },
  };
}
