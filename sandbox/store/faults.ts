import { z } from "zod";

/** How often a fault strikes: false never, true always, below 1 a probability, otherwise a count that runs down. */
const frequency = z.union([z.boolean(), z.number().nonnegative()]).default(false);

const httpStatus = z.number().int().min(300).max(599);

export const faultSettings = z.strictObject({
  /**
   * HTTP status that the Admin API answers instead of working: a number, or a status for some requests only. 0 and
   * 200 are off, as null is.
   */
  graphqlStatus: z
    .union([
      z.literal([0, 200]).transform(() => null),
      httpStatus,
      z.strictObject({ status: httpStatus, times: frequency }),
      z.null(),
    ])
    .default(null),
  graphqlLatencyMs: z.number().nonnegative().default(0),
  /** Answer THROTTLED although the bucket is not empty. */
  throttle: frequency,
  webhooks: z
    .strictObject({
      drop: frequency,
      duplicate: frequency,
      reorder: frequency,
      delayMs: z.number().nonnegative().default(0),
      badHmac: frequency,
    })
    .prefault({}),
  /**
   * Addresses whose mail the SMTP server refuses at RCPT: 5xx for good, 4xx for now. `times` is a frequency, always by
   * default.
   */
  mail: z
    .strictObject({
      refuse: z
        .array(
          z.strictObject({
            to: z.email().toLowerCase(),
            status: z.number().int().min(400).max(599).default(550),
            times: frequency.default(true),
          }),
        )
        .default([]),
    })
    .prefault({}),
});

export type FaultSettings = z.infer<typeof faultSettings>;
type Frequency = z.infer<typeof frequency>;

export interface Faults {
  current(): FaultSettings;
  /** Replaces all settings; what is not named is off. */
  set(settings: FaultSettings): void;
  /** Status that this Admin API request is to answer with, or null. */
  graphqlStatus(): number | null;
  throttled(): boolean;
  /** Whether the fault strikes this time; a count runs down by asking. */
  webhook(name: "drop" | "duplicate" | "reorder" | "badHmac"): boolean;
  /** SMTP status that refuses this recipient, or null; a count runs down by asking. */
  mailRefusal(to: string): number | null;
}

export function createFaults(): Faults {
  let settings = faultSettings.parse({});
  return {
    current: () => settings,
    set: (next) => {
      settings = next;
    },
    graphqlStatus() {
      const fault = settings.graphqlStatus;
      if (fault === null || typeof fault === "number") return fault;
      const [strikes, times] = strike(fault.times);
      settings = { ...settings, graphqlStatus: { ...fault, times } };
      return strikes ? fault.status : null;
    },
    throttled() {
      const [strikes, throttle] = strike(settings.throttle);
      settings = { ...settings, throttle };
      return strikes;
    },
    webhook(name) {
      const [strikes, left] = strike(settings.webhooks[name]);
      settings = { ...settings, webhooks: { ...settings.webhooks, [name]: left } };
      return strikes;
    },
    mailRefusal(to) {
      let status: number | null = null;
      const refuse = settings.mail.refuse.map((fault) => {
        if (status !== null || fault.to !== to.toLowerCase()) return fault;
        const [strikes, times] = strike(fault.times);
        if (strikes) status = fault.status;
        return { ...fault, times };
      });
      settings = { ...settings, mail: { refuse } };
      return status;
    },
  };
}

function strike(setting: Frequency): [boolean, Frequency] {
  if (typeof setting === "boolean") return [setting, setting];
  if (setting === 0) return [false, setting];
  if (setting < 1) return [Math.random() < setting, setting];
  return [true, setting - 1];
}
