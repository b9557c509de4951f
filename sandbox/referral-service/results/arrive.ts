import { randomUUID } from "node:crypto";
import type { Core } from "../core.ts";
import type { EventType } from "../events/event.ts";
import { invalidPayload } from "../http/api-error.ts";
import { moveReferral } from "../referrals/change-referral.ts";
import { issueReferral } from "../referrals/issue-referral.ts";
import type { Referral } from "../referrals/referral.ts";
import { applyDerivedValues } from "./derived-values.ts";
import { type Direction, generateMeasurements } from "./generate.ts";
import type { Measurement } from "./measurement.ts";
import { completeSet, partialSet } from "./partial-set.ts";
import type { ArrivedStatus, Result } from "./result-store.ts";

/** A delivery of the laboratory. */
export interface Arrival extends Direction {
  partial: boolean;
  /** Decides the values; chosen by the service when absent. */
  seed?: string | undefined;
}

function ageInYears(dob: string, nowMs: number): number {
  return Math.floor((nowMs - Date.parse(dob)) / (365.2425 * 24 * 3600 * 1000));
}

function measureArrival(
  core: Core,
  referral: Referral,
  earlier: Result | null,
  arrival: Arrival & { seed: string },
): Measurement[] {
  const { catalogue, clock } = core;
  const { tests, person } = referral.document;
  // Values that were reported before stay as they are, unless the bench wishes otherwise.
  const directed = arrival.abnormal !== undefined || arrival.critical !== undefined;
  const keep = earlier !== null && earlier.seed === arrival.seed && !directed;
  const reported = new Map(keep ? earlier.arrived.map((entry) => [entry.view.id, entry]) : []);
  const wanted = arrival.partial
    ? partialSet(catalogue, tests, person.gender, new Set(reported.keys()))
    : completeSet(catalogue, tests, person.gender);
  const context = {
    catalogue,
    person,
    seed: arrival.seed,
    ageYears: ageInYears(person.dob, clock.nowMs()),
  };
  const measured = generateMeasurements(context, wanted, arrival);
  const missing = (severity: "abnormal" | "critical") =>
    arrival[severity] === true && !measured.some((entry) => entry.severity === severity);
  if (missing("critical") || (missing("abnormal") && arrival.critical !== true)) {
    throw invalidPayload("None of the ordered biomarkers can be out of range for this patient");
  }
  if (reported.size === 0) return measured;
  const merged = measured.map((entry) => reported.get(entry.view.id) ?? entry);
  return applyDerivedValues(context, merged);
}

function eventsOf(isNew: boolean, status: Result["status"]): EventType[] {
  const stage: Record<Result["status"], EventType> = {
    IN_REVIEW: "result.in_review",
    PARTIAL_RESULTS: "result.partial_results",
    COMPLETE: "result.complete",
  };
  return [isNew ? "result.created" : "result.updated", stage[status]];
}

/**
 * Takes in results from the laboratory, for PUT and for the lab bench alike (interface §3, §4.2).
 * Partial and complete results go to the same record. When the organisation reviews results first,
 * the record waits as IN_REVIEW and shows what was released before, or nothing.
 */
export function arriveResults(
  core: Core,
  input: Referral,
  arrival: Arrival,
): { referral: Referral; result: Result } {
  const { stores, clock, events } = core;
  return stores.database.transaction(() => {
    const waitsForForm = input.status === "CREATED" || input.status === "SCHEDULED_REISSUE";
    const referral =
      waitsForForm && input.deletedAtMs === null ? issueReferral(core, input) : input;
    const { organisationId } = referral;
    const earlier = stores.results.findByReferral(referral.uuid);
    const startsAgain = earlier?.arrivedStatus === "COMPLETE";
    const seed = arrival.seed ?? (earlier && !startsAgain ? earlier.seed : randomUUID());
    const arrived = measureArrival(core, referral, earlier, { ...arrival, seed });
    const nowMs = clock.nowMs();
    const arrivedStatus: ArrivedStatus = arrival.partial ? "PARTIAL_RESULTS" : "COMPLETE";
    const held = stores.organisations.find(organisationId)?.holdResultsForReview ?? false;
    const status: Result["status"] = held ? "IN_REVIEW" : arrivedStatus;
    const change = {
      status,
      seed,
      updatedAtMs: Math.max(nowMs, (earlier?.updatedAtMs ?? 0) + 1),
      resultAtMs: nowMs,
      version: (earlier?.version ?? 0) + 1,
      arrivedStatus,
      arrived,
      released: held ? (earlier?.released ?? null) : arrived,
    };
    let result: Result;
    if (earlier) {
      result = { ...earlier, ...change };
      stores.results.save(result);
    } else {
      result = stores.results.insert({
        ...change,
        uuid: randomUUID(),
        organisationId,
        referralUuid: referral.uuid,
        createdAtMs: nowMs,
        reviewedBy: null,
      });
    }
    for (const type of eventsOf(earlier === null, status)) {
      events.emit({ organisationId, type, referralUuid: referral.uuid, resultUuid: result.uuid });
    }
    const withResult = { ...referral, resultsUuid: result.uuid };
    return { referral: moveReferral(core, withResult, arrivedStatus), result };
  });
}
