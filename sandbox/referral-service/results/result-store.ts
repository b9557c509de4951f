import { z } from "zod";
import { integer, text, textOrNull } from "../storage/column.ts";
import type { Database, Row } from "../storage/database.ts";
import { type Page, type PageRequest, readPage } from "../storage/page.ts";
import type { Measurement } from "./measurement.ts";

/** Result statuses; the interface shows COMPLETE and implies the other two (§3 gaps). */
const resultStatus = z.enum(["COMPLETE", "PARTIAL_RESULTS", "IN_REVIEW"]);
const arrivedStatus = z.enum(["COMPLETE", "PARTIAL_RESULTS"]);

export type ResultStatus = z.infer<typeof resultStatus>;
export type ArrivedStatus = z.infer<typeof arrivedStatus>;

/** A result record. Times are milliseconds of the server's clock. */
export interface Result {
  seq: number;
  uuid: string;
  organisationId: number;
  referralUuid: string;
  status: ResultStatus;
  /** Decides the random values. */
  seed: string;
  createdAtMs: number;
  updatedAtMs: number;
  resultAtMs: number;
  reviewedBy: string | null;
  /** Goes up with every change of what is shown; the PDF's edition. */
  version: number;
  /** How much the laboratory has sent, and what. */
  arrivedStatus: ArrivedStatus;
  arrived: Measurement[];
  /** The values that anybody outside may see; null while nothing was released. */
  released: Measurement[] | null;
}

export interface ResultStore {
  insert(result: Omit<Result, "seq">): Result;
  save(result: Result): void;
  find(organisationId: number, uuid: string): Result | null;
  findByReferral(referralUuid: string): Result | null;
  findAnywhere(uuid: string): Result | null;
  page(organisationId: number, request: PageRequest): Page<Result>;
}

function fromRow(row: Row): Result {
  const arrived: Measurement[] = JSON.parse(text(row, "arrived"));
  const released: Measurement[] | null = JSON.parse(textOrNull(row, "released") ?? "null");
  return {
    seq: integer(row, "seq"),
    uuid: text(row, "uuid"),
    organisationId: integer(row, "organisation_id"),
    referralUuid: text(row, "referral_uuid"),
    status: resultStatus.parse(text(row, "status")),
    seed: text(row, "seed"),
    createdAtMs: integer(row, "created_ms"),
    updatedAtMs: integer(row, "updated_ms"),
    resultAtMs: integer(row, "result_ms"),
    reviewedBy: textOrNull(row, "reviewed_by"),
    version: integer(row, "version"),
    arrivedStatus: arrivedStatus.parse(text(row, "arrived_status")),
    arrived,
    released,
  };
}

/** Results on the given database; a referral has one or none. */
export function createResultStore(database: Database): ResultStore {
  const one = (row: Row | undefined): Result | null => (row ? fromRow(row) : null);
  const findAnywhere = (uuid: string) =>
    one(database.get("SELECT * FROM results WHERE uuid = ?", uuid));
  return {
    findAnywhere,
    insert(result) {
      database.run(
        `INSERT INTO results (uuid, organisation_id, referral_uuid, status, seed, created_ms,
           updated_ms, result_ms, reviewed_by, version, arrived_status, arrived, released)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        result.uuid,
        result.organisationId,
        result.referralUuid,
        result.status,
        result.seed,
        result.createdAtMs,
        result.updatedAtMs,
        result.resultAtMs,
        result.reviewedBy,
        result.version,
        result.arrivedStatus,
        JSON.stringify(result.arrived),
        result.released === null ? null : JSON.stringify(result.released),
      );
      const stored = findAnywhere(result.uuid);
      if (!stored) throw new Error("the result was not stored");
      return stored;
    },
    save(result) {
      database.run(
        `UPDATE results SET status = ?, seed = ?, updated_ms = ?, result_ms = ?, reviewed_by = ?,
           version = ?, arrived_status = ?, arrived = ?, released = ? WHERE seq = ?`,
        result.status,
        result.seed,
        result.updatedAtMs,
        result.resultAtMs,
        result.reviewedBy,
        result.version,
        result.arrivedStatus,
        JSON.stringify(result.arrived),
        result.released === null ? null : JSON.stringify(result.released),
        result.seq,
      );
    },
    find: (organisationId, uuid) =>
      one(
        database.get(
          "SELECT * FROM results WHERE uuid = ? AND organisation_id = ?",
          uuid,
          organisationId,
        ),
      ),
    findByReferral: (referralUuid) =>
      one(database.get("SELECT * FROM results WHERE referral_uuid = ?", referralUuid)),
    page: (organisationId, request) =>
      readPage({ database, table: "results", organisationId, request, fromRow }),
  };
}
