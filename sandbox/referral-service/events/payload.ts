import type { ServiceEvent } from "./event.ts";
import type { Webhook } from "./webhook-store.ts";

/**
 * The body of a delivery: event id, type and the resources' uuids, no patient data. The interface
 * leaves the shape open (§6), so four reasonable ones are offered. Under `header` a header tells the type.
 */
export function payloadOf(event: ServiceEvent, shape: Webhook["shape"]): unknown {
  const createdAt = new Date(event.createdAtMs).toISOString();
  const { id, type, referralUuid, resultUuid } = event;
  const about = type.startsWith("result.") ? "result" : "referral";
  const uuid = about === "result" ? resultUuid : referralUuid;
  switch (shape) {
    case "flat":
      return { id, event: type, object: about, uuid, referralUuid, resultUuid, createdAt };
    case "nested":
      return {
        id,
        type,
        timestamp: createdAt,
        data: { object: about, uuid, referralUuid, resultUuid },
      };
    case "header":
      return { id, createdAt, referralUuid, resultUuid };
    case "resource":
      return {
        eventId: id,
        eventType: type,
        createdAt,
        referral: { uuid: referralUuid, object: "referral" },
        result: resultUuid === null ? null : { uuid: resultUuid, object: "result" },
      };
  }
}

/** The headers that are part of the shape. */
export const shapeHeaders = (
  event: { type: string },
  shape: Webhook["shape"],
): Record<string, string> => (shape === "header" ? { "x-event-type": event.type } : {});
