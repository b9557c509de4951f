import { pino } from "pino";
import type { Logger } from "../../app/platform/logger.ts";

/** A log that keeps its lines from a level on, as fields; their text is `msg`. */
export function keptLog(level: "info" | "warn" | "error"): {
  logger: Logger;
  lines: Record<string, unknown>[];
} {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { logger: pino({ level, base: null, timestamp: false }, { write }), lines };
}
