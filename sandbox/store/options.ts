import { parseArgs } from "node:util";
import { z } from "zod";
import type { StoreOptions } from "./start-store.ts";

const port = z.coerce.number().int().min(0).max(65_535);

const optionValues = z.object({
  host: z.ipv4().optional(),
  port: port.default(4020),
  data: z.string().min(1).default(":memory:"),
  "app-url": z.url({ protocol: /^https?$/ }).optional(),
  "smtp-port": port.default(0),
  "retry-scale": z.coerce.number().positive().optional(),
  accounts: z.enum(["new", "legacy"]).optional(),
});

export const usage =
  "npm run store -- [--port 4020] [--data DIR|:memory:] [--app-url URL] [--smtp-port N] [--retry-scale SHARE] [--accounts new|legacy] [--host 127.0.0.1]";

/**
 * Reads the command line.
 *
 * Throws an Error whose message can be shown as it is when an option is unknown or out of range.
 */
export function readOptions(args: string[]): StoreOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      host: text,
      port: text,
      data: text,
      "app-url": text,
      "smtp-port": text,
      "retry-scale": text,
      accounts: text,
    },
  });
  const parsed = optionValues.safeParse(values);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { host, data, accounts } = parsed.data;
  const retryScale = parsed.data["retry-scale"];
  return {
    port: parsed.data.port,
    dataDirectory: data === ":memory:" ? null : data,
    appUrl: parsed.data["app-url"] ?? null,
    smtpPort: parsed.data["smtp-port"],
    ...(host === undefined ? {} : { host }),
    ...(accounts === undefined ? {} : { accounts }),
    ...(retryScale === undefined ? {} : { retryScale }),
  };
}
