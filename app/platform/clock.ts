/** The time, injected so that tests can move it. */
export interface Clock {
  now(): Date;
  /**
   * When the time last leapt ahead, as far as this process has seen it. A wait that began before has had less than the time
   * between says. Null, or no such method: it never did.
   */
  leaptAt?(): Date | null;
  /** The time by this machine's own clock, which decides nothing by itself. No such method: there is none to ask. */
  machineNow?(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
