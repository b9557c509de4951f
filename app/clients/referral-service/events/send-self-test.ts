import { randomUUID } from "node:crypto";
import type { ShopDomain } from "../../../modules/kernel/ids.ts";
import type { Environment, Signing } from "../../../modules/shops/connection.ts";
import type { EventSender } from "../../../modules/shops/event-sender.ts";
import type { Clock } from "../../../platform/clock.ts";
import { signEvent } from "./sign-event.ts";

const TIMEOUT_MS = 10_000;

/** Sends the self-test to the address that the service has, from outside: through DNS, TLS and every proxy. */
export function createEventSender(options: {
  fetch: typeof fetch;
  clock: Clock;
  /** Null when the shop has no such connection. */
  connection: (
    shop: ShopDomain,
    environment: Environment,
  ) => Promise<{ address: string; signing: Signing } | null>;
}): EventSender {
  return {
    async send(shop, environment, eventId) {
      const found = await options.connection(shop, environment);
      if (!found) return null;
      const uuid = randomUUID();
      const body = JSON.stringify({ id: eventId, type: "referral.self_test", data: { uuid } });
      const signature = signEvent({
        body,
        eventId,
        signing: found.signing,
        now: options.clock.now(),
      });
      try {
        const answer = await options.fetch(found.address, {
          method: "POST",
          headers: { "content-type": "application/json", ...signature },
          body,
          redirect: "manual",
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await answer.body?.cancel();
        return { kind: "answered", status: answer.status };
      } catch (error) {
        return { kind: "unreachable", code: codeOf(error) };
      }
    },
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "timeout";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}
