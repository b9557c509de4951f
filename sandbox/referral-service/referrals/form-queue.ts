import type { Core } from "../core.ts";
import { issueReferral } from "./issue-referral.ts";

/** Most forms made in one go, so that requests are never kept waiting for long. */
const batchSize = 100;

/** Milliseconds from creation to the form, by pace. */
const waitMs = { instant: [2, 4], natural: [1500, 4000] } as const;

export interface FormQueue {
  /** The referral's form is to be made soon. */
  add(uuid: string): void;
  /** Takes up the referrals that a stopped server left without a form. */
  resume(): void;
  stop(): void;
}

/**
 * The background step that issues forms. What waits is known from storage (the statuses CREATED
 * and SCHEDULED_REISSUE), so a killed server forgets none.
 */
export function createFormQueue(core: Core): FormQueue {
  let due: { uuid: string; atMs: number }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const schedule = () => {
    const next = due[0];
    if (stopped || timer !== null || !next) return;
    timer = setTimeout(work, Math.max(0, next.atMs - Date.now()));
  };

  const work = () => {
    timer = null;
    const nowMs = Date.now();
    const ready: typeof due = [];
    const later: typeof due = [];
    for (const entry of due) {
      if (entry.atMs <= nowMs && ready.length < batchSize) ready.push(entry);
      else later.push(entry);
    }
    due = later;
    core.stores.database.transaction(() => {
      for (const { uuid } of ready) {
        const referral = core.stores.referrals.findAnywhere(uuid);
        const waits = referral?.status === "CREATED" || referral?.status === "SCHEDULED_REISSUE";
        if (referral && waits && referral.deletedAtMs === null) issueReferral(core, referral);
      }
    });
    schedule();
  };

  const add = (uuid: string) => {
    const [shortest, longest] = waitMs[core.options.pace];
    due.push({ uuid, atMs: Date.now() + shortest + Math.random() * (longest - shortest) });
    schedule();
  };

  return {
    add,
    resume() {
      for (const uuid of core.stores.referrals.uuidsAwaitingForm()) add(uuid);
    },
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
