/** A JSON object of unknown content. */
export type Json = Readonly<Record<string, unknown>>;

const RESOURCES = ["referral", "result"] as const;
export type Resource = (typeof RESOURCES)[number];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Objects inside which a delivery may name its resource; "event" holds the event's own fields. */
const CONTAINERS = [
  "data",
  "payload",
  "body",
  "resource",
  "object",
  "attributes",
  "detail",
  "event",
];
const DEPTH = 4;

const OWN_UUID_KEYS: Record<Resource, readonly string[]> = {
  referral: ["referralUuid", "referral_uuid", "referralId", "referral_id", "referral"],
  result: [
    "resultUuid",
    "result_uuid",
    "resultsUuid",
    "results_uuid",
    "resultId",
    "result_id",
    "result",
  ],
};

/** The objects that may carry the event's own id, type and time, the outermost first. */
export function envelopesOf(body: Json): Json[] {
  return [body, body.event, body.data, body.payload].filter(isObject);
}

/** The first acceptable text (or number) under any of the keys. */
export function firstText(
  places: readonly Json[],
  keys: readonly string[],
  accept: (value: string) => boolean,
): string | null {
  for (const place of places) {
    for (const key of keys) {
      const value = place[key];
      const text = typeof value === "number" ? String(value) : value;
      if (typeof text === "string" && text !== "" && accept(text)) return text;
    }
  }
  return null;
}

/**
 * The uuids a delivery names. A key that says what it is ("referralUuid", "referral": {…}) wins; a bare `uuid`,
 * or a nested `id`, is of the kind its object says, or else of the event's kind. The innermost bare one wins,
 * because an outer one may be the event's own id.
 */
export function uuidsOf(body: Json, kind: Resource): Record<Resource, string | null> {
  const found: Record<Resource, string | null> = { referral: null, result: null };
  const bare: { kind: Resource; uuid: string }[] = [];
  const lastResort: typeof bare = [];

  function look(place: Json, under: Resource | "event" | null, depth: number): void {
    const kindHere =
      under === "referral" || under === "result" ? under : (namedKind(place) ?? kind);
    for (const resource of RESOURCES) {
      for (const key of OWN_UUID_KEYS[resource]) found[resource] ??= uuidIn(place[key]);
    }
    if (depth < DEPTH) {
      for (const key of [...RESOURCES, ...CONTAINERS]) {
        const inner = place[key];
        const role = RESOURCES.find((resource) => resource === key) ?? null;
        if (isObject(inner)) look(inner, role ?? (key === "event" ? "event" : null), depth + 1);
        // "data": "<uuid>" and the like.
        const uuid = role === null && key !== "event" ? uuidIn(inner) : null;
        if (uuid) bare.push({ kind: kindHere, uuid });
      }
    }
    const id = depth > 0 && under !== "event" ? uuidIn(place.id) : null;
    const own = uuidIn(place.uuid) ?? id;
    if (own) (under === "event" ? lastResort : bare).push({ kind: kindHere, uuid: own });
  }

  look(body, null, 0);
  for (const { kind: resource, uuid } of [...bare, ...lastResort]) found[resource] ??= uuid;
  return found;
}

function namedKind(place: Json): Resource | null {
  const names = [place.object, place.type, place.resourceType, place.resource_type];
  return names.find((name) => name === "referral" || name === "result") ?? null;
}

function uuidIn(value: unknown): string | null {
  return typeof value === "string" && UUID.test(value) ? value.toLowerCase() : null;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
