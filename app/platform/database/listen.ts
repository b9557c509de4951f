import { setTimeout as delay } from "node:timers/promises";
import { loopFailures } from "../counters.ts";
import { errorCode } from "../error-code.ts";
import type { Logger } from "../logger.ts";
import { rest } from "../rest.ts";
import { tolerate } from "../tolerate.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";

const RECONNECT_MS = 1_000;
/** A connection that only listens says nothing when the server behind it is gone, so it is asked. */
const CHECK_EVERY_MS = 3_000;
const CHECK_TIMEOUT_MS = 3_000;

export interface Listener {
  /** Whether notifications come through at the moment. */
  isListening(): boolean;
  stop(): Promise<void>;
}

/**
 * Hears a channel of NOTIFY on a connection of its own, for as long as the process runs. What is said while it is
 * away is lost, so `onListening` is called whenever it (again) listens.
 */
export function listen(options: {
  databaseUrl: string;
  channel: string;
  logger: Logger;
  onMessage: (payload: string) => void;
  onListening: () => void;
}): Listener {
  const { databaseUrl, channel, logger, onMessage, onListening } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isListening = false;

  /** Listens until the connection breaks. Rejects with the reason. */
  async function listenOnce(): Promise<void> {
    const client = new LimitedClient({
      ...CONNECTION_LIMITS,
      query_timeout: CHECK_TIMEOUT_MS,
      connectionString: databaseUrl,
      application_name: `pathway-listen-${channel}`,
    });
    const broken = new AbortController();
    const ended = AbortSignal.any([signal, broken.signal]);
    client.on("error", (error) => broken.abort(error));
    client.on("end", () => broken.abort(new Error("The connection ended")));
    client.on("notification", ({ payload }) => onMessage(payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      isListening = true;
      onListening();
      while (await rest(CHECK_EVERY_MS, ended)) await client.query("SELECT 1");
      broken.signal.throwIfAborted();
    } finally {
      isListening = false;
      // A broken connection may never say that it has ended.
      await Promise.race([
        client.end().catch(tolerate(logger, "listen.end")),
        delay(CHECK_TIMEOUT_MS),
      ]);
    }
  }

  const running = (async () => {
    while (!signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        if (signal.aborted) return;
        loopFailures.add({ loop: `listen-${channel}`, code: errorCode(error) });
        logger.warn({ err: error, channel }, "notifications cannot be heard; polling meanwhile");
        await rest(RECONNECT_MS, signal);
      }
    }
  })();
  return {
    isListening: () => isListening,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
