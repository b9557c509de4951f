import { parseArgs } from "node:util";
import { z } from "zod";

/** How the service was asked to run (sandbox contract, section 1). */
export interface ServiceOptions {
  /** The address of this machine on which it listens, and by which it names itself: 127.0.0.1. */
  host?: string;
  /** 0 means any free port. */
  port: number;
  /** A folder, or ":memory:" to keep nothing. */
  data: string;
  environment: "staging" | "production";
  /** `instant` makes PDFs within milliseconds, `natural` within a few seconds. */
  pace: "instant" | "natural";
}

const optionValues = z.object({
  host: z.ipv4().optional(),
  port: z.coerce.number().int().min(0).max(65_535).default(4010),
  data: z.string().min(1).default(":memory:"),
  environment: z.enum(["staging", "production"]).default("staging"),
  pace: z.enum(["instant", "natural"]).default("natural"),
});

export const usage =
  "npm run service -- [--port 4010] [--data DIR|:memory:] [--environment staging|production] [--pace instant|natural] [--host 127.0.0.1]";

/**
 * Reads the command line.
 *
 * Throws an Error whose message can be shown as it is when an option is unknown or out of range.
 */
export function readOptions(args: string[]): ServiceOptions {
  const { values } = parseArgs({
    args,
    options: {
      host: { type: "string" },
      port: { type: "string" },
      data: { type: "string" },
      environment: { type: "string" },
      pace: { type: "string" },
    },
  });
  const parsed = optionValues.safeParse(values);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}
