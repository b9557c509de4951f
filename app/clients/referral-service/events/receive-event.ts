import { createHash } from "node:crypto";
import { SERVICE_EVENT_TYPES } from "../../../modules/referrals/event-types.ts";
import type { EventHeaders } from "./event-headers.ts";
import { isId, readEvent } from "./read-event.ts";
import { type EventSigning, signedHeader } from "./verify-event.ts";

/** A verified delivery as it is kept. `eventId` is equal for every delivery of one event. */
export type ReceivedEvent =
  | { kind: "received"; eventId: string; body: Buffer }
  /** Older than any redelivery: somebody kept it. */
  | { kind: "stale" };

/** Longer than a service goes on trying; a body that says that it is older is not believed any more. */
const REDELIVERY_MS = 48 * 3_600_000;

/**
 * Reads what a verified delivery is to be known by. Standard Webhooks signs id and time in headers. Every other scheme signs
 * the body at most, so there the body alone tells one event from another: a body that was kept and is sent again, under
 * whatever header, is the same event. A type that only a header tells is kept with the body, and tells events of one resource apart
 * where it is one of the interface's: whoever sends a kept body again under each of them has as many looks taken, and no more.
 */
export function receiveEvent(delivery: {
  body: Buffer;
  headers: EventHeaders;
  signing: Pick<EventSigning, "scheme" | "header">;
  now: Date;
}): ReceivedEvent {
  const { body, headers, signing, now } = delivery;
  const { scheme } = signing;
  const isHeaderSigned = scheme === "standard-webhooks";
  const whole = readEvent(body, headers);
  const alone = readEvent(body, {});
  // The body alone tells the event's facts. The type, which a header may have told, changes none of them.
  const typed =
    whole.kind === "hint" && alone.kind !== "hint" ? withType(body, whole.eventType) : body;
  const own = readEvent(typed, isHeaderSigned ? headers : {});
  const hint = own.kind === "hint" ? own : null;
  const at = isHeaderSigned ? null : (hint?.timestamp ?? null);
  if (at !== null && now.getTime() - Date.parse(at) > REDELIVERY_MS) return { kind: "stale" };
  const signedId = isHeaderSigned ? signedHeader(headers, signing.header, "id") : null;
  return {
    kind: "received",
    eventId: isId(signedId)
      ? signedId
      : (hint?.eventId ?? digestOf(isKnownType(hint) ? typed : body)),
    body: typed,
  };
}

const isKnownType = (hint: { eventType: string } | null) =>
  SERVICE_EVENT_TYPES.some((type) => type === hint?.eventType);

const digestOf = (body: Buffer) => `sha256:${createHash("sha256").update(body).digest("hex")}`;

/**
 * The body with the type where every reader finds it: nothing but the body is stored. Written behind the rest, where it counts
 * whatever stands before it: how deep that is must not matter.
 */
function withType(body: Buffer, eventType: string): Buffer {
  const text = body.toString("utf8").trimEnd();
  return Buffer.from(`${text.slice(0, -1)},"eventType":${JSON.stringify(eventType)}}`);
}
