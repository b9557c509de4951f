import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { loopFailures } from "../counters.ts";
import { errorCode } from "../error-code.ts";
import type { Logger } from "../logger.ts";
import { rest } from "../rest.ts";
import { createTelling } from "../telling.ts";
import { tolerate } from "../tolerate.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";

const RECONNECT_MS = 1_000;
/** A connection that only listens says nothing when the server behind it is gone, so it says something to itself. */
const CHECK_EVERY_MS = 3_000;
const CHECK_TIMEOUT_MS = 3_000;
const ECHO_LOOK_MS = 10;

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
  const echo = `pathway_echo_${randomUUID().replaceAll("-", "")}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const isNews = createTelling();
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
    let isHeard = false;
    client.on("notification", ({ channel: said, payload }) => {
      if (said === echo) isHeard = true;
      else onMessage(payload ?? "");
    });
    /** Says something and hears it. A pooling proxy takes LISTEN for an answer, and gives the connection to somebody else. */
    const hearsItself = async () => {
      isHeard = false;
      await client.query("SELECT pg_notify($1, '')", [echo]);
      const givesUpAt = performance.now() + CHECK_TIMEOUT_MS;
      while (!isHeard && performance.now() < givesUpAt) await rest(ECHO_LOOK_MS, ended);
      if (!isHeard && !ended.aborted) throw new Error("A notification of our own was not heard");
    };
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}; LISTEN ${echo}`);
      await hearsItself();
      isListening = true;
      onListening();
      while (await rest(CHECK_EVERY_MS, ended)) await hearsItself();
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
        const code = errorCode(error);
        loopFailures.add({ loop: `listen-${channel}`, code });
        if (isNews(code))
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
