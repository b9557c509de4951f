import { setTimeout as delay } from "node:timers/promises";
import type { CrashPoint } from "../../app/platform/crash-points.ts";
import type { TestWorld } from "../harness/index.ts";
import type { ControlFolder } from "./control-folder.ts";
import type { Random } from "./random.ts";
import { killsOf, rarestFirst, type Tally } from "./tally.ts";

/** Points that wait for somebody to come by, at most; some come by often, some seldom. */
const ARMED_AT_ONCE = 3;
/** A point that nobody came to for so long no longer counts against that number; it stays armed. */
const TIMEOUT_MS = 5000;
const LOOK_EVERY_MS = 40;
/** Between two deaths, so that there is a life to take. */
const BREATH_MS = 700;
/** The share of SIGKILLs that come at no particular moment. */
const RANDOM_SHARE = 0.15;
/** Where standing still is as bad as dying, or worse: somebody else takes over, and then one wakes up. */
const FREEZING_POINTS: readonly [CrashPoint, ...CrashPoint[]] = [
  "create.before-deadline-check",
  "create.after-claim-commit",
  "create.after-answer",
  "create.before-record-commit",
  "resolve.after-scan",
  "resolve.mid-scan",
  "order.after-read",
  "mail.before-send",
  "relay.before-commit",
];

const INSTALL_POINTS: readonly CrashPoint[] = ["install.before-commit", "webhook.before-commit"];

export interface ProcessKiller {
  /** Kills until so many have died, or all is over; resolves when nobody stands still any more. */
  run(): Promise<void>;
}

/**
 * Ends processes of the app: at each named point in turn, at random moments, politely, and by letting one stand
 * still for longer than anybody waits for it. PostgreSQL is ended every so often beside all that.
 */
export function createProcessKiller({
  world,
  folder,
  random,
  tally,
  target,
  mayStrike,
  letStart,
  freezeMs,
  databaseMs,
  isOver = () => false,
}: {
  world: TestWorld;
  folder: ControlFolder;
  random: Random;
  tally: Tally;
  /** SIGKILLs. */
  target: number;
  /** Whether the orders have kept up with the deaths; nobody new is chosen while they have not. */
  mayStrike: () => boolean;
  /** While the merchant waits for the app to come up, nobody dies on the way there. */
  letStart: () => boolean;
  freezeMs: number;
  databaseMs: number;
  /** Whether there is nothing left to disturb; nobody is killed from then on, although fewer have died than were to. */
  isOver?: () => boolean;
}): ProcessKiller {
  const armedAt = new Map<string, number>();
  const armedForInstall = new Set<string>();
  const frozen = new Set<Promise<void>>();
  let freezing: CrashPoint | null = null;

  const isDone = () => killsOf(tally) >= target || isOver();
  const remaining = () => target - killsOf(tally);

  function armMore(): void {
    const now = performance.now();
    if (letStart()) {
      armForInstall();
      return;
    }
    armedForInstall.clear();
    if (!mayStrike()) return;
    const waiting = [...armedAt.values()].filter((since) => now - since < TIMEOUT_MS).length;
    const free = Math.min(ARMED_AT_ONCE - waiting, remaining());
    const candidates = rarestFirst(tally, random).filter(
      (one) => !armedAt.has(one) && one !== freezing,
    );
    for (const point of candidates.slice(0, Math.max(0, free))) {
      folder.arm(point);
      armedAt.set(point, now);
    }
  }

  /** Nobody else's death must keep the app from coming up; each of these kills one process and no more. */
  function armForInstall(): void {
    for (const point of [...armedAt.keys()])
      if (!armedForInstall.has(point)) {
        folder.disarm(point);
        armedAt.delete(point);
      }
    for (const point of INSTALL_POINTS) {
      if (armedForInstall.has(point) || remaining() <= 0) continue;
      armedForInstall.add(point);
      folder.arm(point);
      armedAt.set(point, performance.now());
    }
  }

  function thaw(pid: number): void {
    tally.frozen++;
    const waking = delay(freezeMs)
      .then(() => signalTo(pid, "SIGCONT"))
      .then(() => void frozen.delete(waking));
    frozen.add(waking);
  }

  /** Writes down who has died, or stands still, since the last look; returns how many have died. */
  function look(): number {
    let died = 0;
    for (const { point, pid } of folder.take()) {
      if (point === freezing) {
        freezing = null;
        thaw(pid);
        continue;
      }
      armedAt.delete(point);
      tally.atPoint.set(point, (tally.atPoint.get(point) ?? 0) + 1);
      died++;
    }
    return died;
  }

  async function strikeAtRandom(): Promise<void> {
    const { app, workers } = await world.processes();
    const victim = random.pick([app, ...workers]);
    const dice = random.next();
    if (dice < 0.2 && frozen.size === 0 && freezing === null) {
      const place = random.pick(FREEZING_POINTS);
      if (dice < 0.05) {
        if (signalTo(victim, "SIGSTOP")) thaw(victim);
      } else if (!armedAt.has(place)) {
        freezing = place;
        folder.arm(place, "SIGSTOP");
      }
    } else if (dice < 0.45) {
      if (signalTo(victim, "SIGTERM")) tally.asked++;
    } else if (tally.random <= killsOf(tally) * RANDOM_SHARE && signalTo(victim, "SIGKILL"))
      tally.random++;
  }

  async function endDatabase(): Promise<void> {
    const { database } = await world.processes();
    // A quick, orderly stop now and then: connections end with words instead of silence.
    const how = random.next() < 0.3 ? "SIGINT" : "SIGKILL";
    if (database !== null && signalTo(database, how)) tally.database++;
  }

  return {
    async run() {
      let nextDatabaseAt = performance.now() + databaseMs;
      let nextRandomAt = performance.now() + 3000;
      while (!isDone()) {
        armMore();
        await delay(LOOK_EVERY_MS);
        const died = look();
        if (databaseMs > 0 && performance.now() >= nextDatabaseAt && !letStart()) {
          await endDatabase();
          nextDatabaseAt = performance.now() + databaseMs * (0.6 + 0.8 * random.next());
        }
        if (performance.now() >= nextRandomAt && !letStart() && mayStrike()) {
          await strikeAtRandom();
          nextRandomAt = performance.now() + 1500 + random.below(4000);
        }
        if (died > 0) await delay(BREATH_MS);
      }
      folder.disarmAll();
      await Promise.all(frozen);
      // A process may have come to a point while the point was being disarmed.
      await delay(500);
      look();
      await Promise.all(frozen);
    },
  };
}

/** Whether the process was there to get it. */
function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
