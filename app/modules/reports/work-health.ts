import type { ShopDomain } from "../kernel/ids.ts";
import type { JobName } from "./jobs.ts";

/** A part of Pathway, in whatever process, that does not do its work. */
export interface LoopTrouble {
  /** Its turns end in an error, a turn does not end, or its whole process is not heard of any more. */
  kind: "fails" | "hangs" | "silent";
  /** Names of background loops; none for a silent process. */
  loops: string[];
  since: Date;
  /** The code of the last failure. */
  code: string | null;
}

/** Work of one shop that waits for longer than it should. */
export interface WaitingWork {
  /** At most WAITING_LIMIT + 1, which means more. */
  count: number;
  /** Since when the oldest waits. */
  since: Date;
}

/** Jobs that failed several times and are tried again. */
export interface RetriedWork extends WaitingWork {
  name: JobName;
  code: string;
}

/** Whether work moves: what every process says of itself, and which of a shop's rows wait for too long. */
export interface WorkHealth {
  /** False while no process works on jobs. */
  hasWorker: boolean;
  /** When one was last heard of; null when none is known. */
  workerSeenAt: Date | null;
  troubles: LoopTrouble[];
  /** By how much the machine's clock is ahead that is furthest off, in milliseconds; 0 while all are right. */
  clockSkewMs: number;
  /** Messages that were taken in and not looked at. */
  messages: WaitingWork | null;
  /** Work that was not handed to the job engine. */
  handedOn: WaitingWork | null;
  /** Jobs that are due and were not begun. */
  jobs: WaitingWork | null;
  retried: RetriedWork[];
}

export const WAITING_LIMIT = 1000;

/** Port: reads whether work moves. Its own statement, because processes belong to no shop. */
export type ReadWorkHealth = (shop: ShopDomain) => Promise<WorkHealth>;
