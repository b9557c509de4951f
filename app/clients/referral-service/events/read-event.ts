import { momentOf } from "../../../platform/written-time.ts";
import { parseJson } from "../wire/json.ts";
import { envelopesOf, firstText, isObject, type Json, uuidsOf } from "./event-fields.ts";
import { type EventHeaders, headerValue } from "./event-headers.ts";

/**
 * A delivery's message. A hint names something to fetch again and nothing else: the REST answer is the truth
 * (interface §1.3). At least one of the two uuids is present.
 */
export type ServiceEvent =
  | {
      kind: "hint";
      /** Null when the delivery carries none. */
      eventId: string | null;
      /** "referral.…" or "result.…", known to this version or not. */
      eventType: string;
      referralUuid: string | null;
      resultUuid: string | null;
      /** ISO 8601; null when the delivery does not say. */
      timestamp: string | null;
    }
  | { kind: "unreadable"; reason: "not_json" | "no_event_type" | "no_uuid" };

const EVENT_TYPE = /^(referral|result)\.[a-z0-9_.-]{1,60}$/i;
const TYPE_KEYS = ["type", "event", "eventType", "event_type", "name", "topic"];
const TYPE_HEADERS = ["webhook-event", "x-webhook-event", "x-event-type", "x-event"];
const ID_KEYS = ["eventId", "event_id"];
/** A resource that the delivery carries may have these too. */
const ANY_ID_KEYS = [...ID_KEYS, "id", "uuid"];
const ID_HEADERS = ["webhook-id", "svix-id", "x-event-id"];
/** Short visible ASCII: it becomes part of a unique index. */
const ID = /^[\x21-\x7e]{1,200}$/;
const TIME_KEYS = ["timestamp", "occurredAt", "occurred_at"];
/** A resource was made long before most of its events, and says beside it when it changed. */
const BIRTH_KEYS = ["createdAt", "created_at", "created"];
const CHANGE_KEYS = ["updatedAt", "updated_at"];

/**
 * Reads a delivery of any reasonable shape, for the interface shows neither payload nor field names (§6,
 * gaps). Never throws.
 */
export function readEvent(rawBody: Buffer, headers: EventHeaders): ServiceEvent {
  const body = parseJson(rawBody.toString("utf8"));
  if (!isObject(body)) {
    return { kind: "unreadable", reason: "not_json" };
  }
  const envelopes = envelopesOf(body);
  const eventType =
    firstText(envelopes, TYPE_KEYS, isType) ??
    TYPE_HEADERS.map((name) => headerValue(headers, name)).find(
      (value) => value !== null && isType(value),
    );
  if (!eventType) return { kind: "unreadable", reason: "no_event_type" };
  const kind = /^referral/i.test(eventType) ? "referral" : "result";
  const uuids = uuidsOf(body, kind);
  if (!uuids.referral && !uuids.result) return { kind: "unreadable", reason: "no_uuid" };
  const places = { envelopes, own: envelopes.filter((place) => isOfEvent(place, body)) };
  return {
    kind: "hint",
    eventId: eventIdOf(headers, places, Object.values(uuids)),
    eventType: eventType.toLowerCase(),
    referralUuid: uuids.referral,
    resultUuid: uuids.result,
    timestamp: timestampOf(places, headers),
  };
}

const isType = (value: string) => EVENT_TYPE.test(value);

/** Where the event's own fields stand. Inside "data" a resource may have an id and times of its own, unless the type stands there too. */
const isOfEvent = (place: Json, body: Json): boolean =>
  place === body || place === body.event || firstText([place], TYPE_KEYS, isType) !== null;

/** The objects of a delivery that may say something of its event, and those that are the event's own. */
interface Places {
  envelopes: Json[];
  own: Json[];
}

/** The header first: it is what a signature covers. A resource's own uuid or number never identifies an event. */
function eventIdOf(
  headers: EventHeaders,
  { envelopes, own }: Places,
  resourceUuids: (string | null)[],
): string | null {
  const isOwnId = (value: string) => isId(value) && !resourceUuids.includes(value);
  return (
    ID_HEADERS.map((name) => headerValue(headers, name)).find(isId) ??
    firstText(own, ANY_ID_KEYS, isOwnId) ??
    firstText(envelopes, ID_KEYS, isOwnId)
  );
}

/** Whether a text can be what an event is known by. */
export const isId = (value: string | null): value is string => value !== null && ID.test(value);

function timestampOf({ envelopes, own }: Places, headers: EventHeaders): string | null {
  const events = own.filter((place) => CHANGE_KEYS.every((key) => place[key] == null));
  const value =
    firstText(envelopes, TIME_KEYS, () => true) ??
    firstText(events, BIRTH_KEYS, () => true) ??
    headerValue(headers, "webhook-timestamp");
  if (value === null) return null;
  const date = new Date(momentOf(value));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
