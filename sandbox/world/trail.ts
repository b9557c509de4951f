import { z } from "zod";

export const stepSchema = z.object({ name: z.string(), at_ms: z.number().int() });
export type Step = z.infer<typeof stepSchema>;

/** The last line of `--once`. */
export const onceLineSchema = z.object({
  order: z.string(),
  requests: z.array(z.object({ id: z.string(), state: z.string() })),
  referrals: z.array(
    z.object({
      uuid: z.string(),
      status: z.string(),
      reference: z.string(),
      origin: z.string(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  documents: z.array(z.object({ kind: z.string(), bytes: z.number(), sha256: z.string() })),
  mails: z.number().int(),
  elapsed_ms: z.number().int(),
  steps: z.array(stepSchema),
});
export type OnceLine = z.infer<typeof onceLineSchema>;

export interface Trail {
  readonly steps: readonly Step[];
  /** Does one named step and notes when it was done; a failure is reported with the step's name. */
  step<T>(name: string, act: () => Promise<T>): Promise<T>;
  elapsedMs(): number;
}

/** A trail that counts from now and tells every step, in words, through `say`. */
export function startTrail(say: (line: string) => void): Trail {
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const steps: Step[] = [];
  return {
    steps,
    elapsedMs,
    async step(name, act) {
      const from = elapsedMs();
      try {
        const outcome = await act();
        const at = elapsedMs();
        steps.push({ name, at_ms: at });
        say(`  ✓ ${name}  (${at - from} ms)`);
        return outcome;
      } catch (cause) {
        say(`  ✗ ${name}`);
        throw new Error(`The step "${name}" failed: ${reasonOf(cause)}`, { cause });
      }
    },
  };
}

/** The message of whatever was thrown, with those of its causes that add something. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (!(thrown.cause instanceof Error)) return thrown.message;
  const cause = reasonOf(thrown.cause);
  return thrown.message.includes(cause) ? thrown.message : `${thrown.message} (${cause})`;
}
