import type { Pool } from "pg";
import type { Clock } from "../clock.ts";
import { loopFailures } from "../counters.ts";
import { errorCode } from "../error-code.ts";
import type { Logger } from "../logger.ts";
import { tolerate } from "../tolerate.ts";

/** How often the offset to the database's time is measured again. */
const MEASURE_EVERY_MS = 15_000;
const FIRST_MEASUREMENTS = 3;
/** A slower answer says too little: half of its round trip is the error of the measurement. */
const MAX_ROUND_TRIP_MS = 2_000;
/** A machine's clock may differ by so much from the database's before anybody is told. */
const TOLERATED_SKEW_MS = 5_000;

export interface DatabaseClock extends Clock {
  /** Measures for the first time. Nothing may be decided before. */
  start(): Promise<void>;
  /** By how much this machine's own clock is ahead of the database's, in milliseconds. Null while that is tolerable. */
  skewMs(): number | null;
  /** The same, however small. */
  measuredSkewMs(): number;
  stop(): void;
}

/**
 * The database's time, for everything that decides: deadlines, quarantine, ends of links, ages of signatures.
 * Processes on machines whose clocks differ then agree, because none of them uses its own. Between measurements
 * the time goes on with the monotonic clock, so that a step of the machine's clock changes nothing.
 */
export function createDatabaseClock({
  pool,
  logger,
}: {
  pool: Pool;
  logger: Logger;
}): DatabaseClock {
  /** Database time at the monotonic clock's zero. */
  let origin: number | null = null;
  let leaptAt: Date | null = null;
  let told: number | null = null;
  let isMeasuring = false;
  const machineNow = Date.now;
  const now = () => {
    if (origin === null) throw new Error("The database's time has not been measured yet");
    return origin + performance.now();
  };

  async function measure(): Promise<number> {
    const askedAt = performance.now();
    const { rows } = await pool.query<{ ms: string }>(
      "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms",
    );
    const answeredAt = performance.now();
    const roundTripMs = answeredAt - askedAt;
    if (roundTripMs <= MAX_ROUND_TRIP_MS || origin === null)
      moveTo(Number(rows[0]?.ms) - (askedAt + answeredAt) / 2);
    return roundTripMs;
  }

  /** The monotonic clock does not leap: what the database's time gained on it was set by somebody. */
  function moveTo(measured: number): void {
    const aheadMs = origin === null ? 0 : measured - origin;
    origin = measured;
    if (aheadMs <= TOLERATED_SKEW_MS) return;
    leaptAt = new Date(now());
    // For processes that start later. The intake may write nothing there, and is never alone.
    void pool.query(NOTE_LEAP).catch(tolerate(logger, "clock.note-leap"));
    logger.warn({ aheadMs: Math.round(aheadMs) }, "the database's clock leapt ahead");
  }

  const measuredSkewMs = () => Math.round(machineNow() - now());
  const skewMs = () => {
    const skew = measuredSkewMs();
    return Math.abs(skew) > TOLERATED_SKEW_MS ? skew : null;
  };

  /** Says once for each change that the machine's clock is wrong, and that it is right again. */
  function tellSkew(): void {
    const skew = skewMs();
    if (Math.abs((skew ?? 0) - (told ?? 0)) <= TOLERATED_SKEW_MS) return;
    if (skew === null) logger.warn("this machine's clock agrees with the database's again");
    else logger.warn({ skewMs: skew }, "this machine's clock differs from the database's");
    told = skew;
  }

  const measureAgain = () => {
    if (isMeasuring) return;
    isMeasuring = true;
    void measure()
      .then(tellSkew)
      .catch((error: unknown) => {
        // The offset of the last measurement stays: it is right as long as no clock was moved.
        loopFailures.add({ loop: "clock", code: errorCode(error) });
        logger.warn({ err: error }, "the database's time could not be measured");
      })
      .finally(() => {
        isMeasuring = false;
      });
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    now: () => new Date(now()),
    machineNow: () => new Date(machineNow()),
    leaptAt: () => leaptAt,
    skewMs,
    measuredSkewMs,
    async start() {
      let best: { origin: number; roundTripMs: number } | null = null;
      for (let n = 0; n < FIRST_MEASUREMENTS; n++) {
        origin = null;
        const roundTripMs = await measure();
        if (origin !== null && roundTripMs < (best?.roundTripMs ?? Number.POSITIVE_INFINITY))
          best = { origin, roundTripMs };
      }
      origin = best?.origin ?? origin;
      const { rows } = await pool.query<{ at: Date | null }>(LAST_LEAP);
      leaptAt = rows[0]?.at ?? null;
      tellSkew();
      timer = setInterval(measureAgain, MEASURE_EVERY_MS);
      // Another server may have answered, whose clock is another one.
      pool.on("connect", measureAgain);
    },
    stop() {
      clearInterval(timer);
      pool.off("connect", measureAgain);
    },
  };
}

const NOTE_LEAP = "UPDATE database_identity SET leapt_at = clock_timestamp()";
/** A leap that lies ahead was noted before the clock was set back. `least` alone would take none for one of this moment. */
const LAST_LEAP = `
  SELECT least(leapt_at, clock_timestamp()) AS at FROM database_identity WHERE leapt_at IS NOT NULL`;

/**
 * Lets `Date` tell the database's time in this process. Shopify's library and its JWT check read `Date` and take
 * no clock: on a machine that is minutes off they would refuse every token and call every session expired.
 * Returns a function that restores the machine's own.
 */
export function alignDate(clock: Clock): () => void {
  const MachineDate = globalThis.Date;
  const nowMs = () => clock.now().getTime();
  const aligned: DateConstructor = new Proxy(MachineDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(
        target,
        values.length === 0 ? [nowMs()] : values,
        newTarget === aligned ? target : newTarget,
      ),
    get: (target, key) => (key === "now" ? nowMs : Reflect.get(target, key)),
  });
  globalThis.Date = aligned;
  return () => {
    globalThis.Date = MachineDate;
  };
}
