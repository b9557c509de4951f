import type { DueNotification, NotedMail } from "../../app/modules/kernel/notification.ts";
import type { NewTimelineEntry } from "../../app/modules/kernel/timeline.ts";
import type {
  StoredReferral,
  StoredResult,
} from "../../app/modules/referrals/referral-repository.ts";
import type { ReferralRequest } from "../../app/modules/referrals/request.ts";
import type { PatientOnRequest } from "../../app/modules/referrals/request-repository.ts";
import type { ReferralSnapshot } from "../../app/modules/referrals/snapshots.ts";
import type { Job } from "../../app/modules/reports/jobs.ts";
import type { Connection } from "../../app/modules/shops/connection.ts";
import type { Shop } from "../../app/modules/shops/shop.ts";
import { sampleReferral } from "./facts.ts";
import { sampleTenant } from "./tenant.ts";

interface Stored {
  /** The request's row; null: a restore forgot it. */
  request: ReferralRequest | null;
  /** Null: nobody is compared with whom the service names. */
  patient?: PatientOnRequest | null;
  referrals?: StoredReferral[];
  results?: StoredResult[];
  shop?: Partial<Shop> | null;
  connection?: Partial<Connection> | null;
  isRedacted?: boolean;
  /** Referrals of which something later is stored than what is now read. */
  stale?: string[];
  /** Mails that were noted before, and those of them that were not sent. */
  mails?: NotedMail[];
  unsent?: DueNotification[];
}

/** One request, what the service holds for it, and all that is written about them. */
export function sampleLedger({
  request,
  patient = null,
  referrals = [],
  results = [],
  shop = { installed: true, refundPolicy: "automatic", strictMode: false },
  connection = { clientSince: null },
  isRedacted = false,
  stale = [],
  mails = [],
  unsent = [],
}: Stored) {
  const seen = {
    row: request,
    referrals: [...referrals],
    notes: [] as NewTimelineEntry[],
    jobs: [] as { job: Job; startAfter?: Date }[],
    verdicts: [] as unknown[],
    unclaimed: [] as unknown[],
    forgotten: [] as string[],
    /** The mails that its owner is to get. */
    due: [] as DueNotification[],
    /** Orders that the shop's alerts tell of. */
    alerted: [] as string[],
    /** How often referrals or results were read. */
    reads: 0,
  };
  const alter = (change: Partial<ReferralRequest>) => {
    if (seen.row) seen.row = { ...seen.row, ...change };
    return seen.row;
  };
  const read = async (id: string) => (id === seen.row?.id ? seen.row : null);
  const isOwn = (ids: string[] = []) => ids[0] === seen.row?.id;
  const own = async <Kept>(ids: string[], kept: Kept[]) => {
    seen.reads += 1;
    return isOwn(ids) ? kept : [];
  };
  const tenant = sampleTenant({
    shop: "one.myshopify.com",
    shops: {
      find: async () => shop as Shop | null,
      findBeforeInstall: async () => shop as Shop | null,
    },
    alerts: { noteAttention: async (orderId) => void seen.alerted.push(orderId) },
    connections: { find: async () => connection as Connection | null },
    requests: {
      find: read,
      findForUpdate: read,
      forgetPatient: async () => void alter({ hasPatient: false, consentAt: null }),
      ownerSinceBackup: async () => null,
      isRedacted: async () => isRedacted,
      patientOf: async () => patient,
      async write(_, change) {
        const row = alter(change);
        if (!row) throw new Error("The request is gone");
        return row;
      },
    },
    referrals: {
      forRequests: (ids) => own(ids, seen.referrals),
      async save(environment, requestId, { uuid, status, medicare }: ReferralSnapshot) {
        const before = seen.referrals.find((one) => one.uuid === uuid);
        if (stale.includes(uuid)) return { outcome: "stale" };
        const others = seen.referrals.filter((one) => one !== before);
        const saved = sampleReferral({ ...before, environment, requestId, uuid, status, medicare });
        seen.referrals = [...others, saved];
        return { outcome: "stored", previousStatus: before?.status };
      },
    },
    results: { forRequests: (ids) => own(ids, results) },
    restores: {
      forget: async (_, uuid) => void seen.forgotten.push(uuid),
      recordUnclaimed: async (...words) => void seen.unclaimed.push(words),
    },
    practitioners: {
      recordVerdict: async (...words) => void seen.verdicts.push(words),
    },
    // Mails are queued elsewhere.
    notifications: {
      async note(due) {
        seen.due.push(due);
        return false;
      },
      ofRequests: async (ids) => (isOwn(ids) ? mails : []),
      unsent: async (ids) => (isOwn(ids) ? unsent : []),
    },
    timeline: { add: async (entry) => void seen.notes.push(entry) },
    jobs: {
      enqueue: async (job, options = {}) => void seen.jobs.push({ job, ...options }),
    },
  });
  return { tenant, seen };
}
