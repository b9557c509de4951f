import { randomUUID } from "node:crypto";

/**
 * Ids of events, as Shopify gives them: the messages of one action share an id, whatever their topics, so that an id alone does
 * not tell messages apart. An action is what happens to one order, product or customer at a stroke.
 */
export function createEventIds(): (shop: string, topic: string, payload: unknown) => string {
  const actions = new Map<string, { eventId: string; topics: Set<string> }>();
  return (shop, topic, payload) => {
    const key = `${shop} ${subjectOf(payload)}`;
    const known = actions.get(key);
    if (known && !known.topics.has(topic)) {
      known.topics.add(topic);
      return known.eventId;
    }
    const action = { eventId: randomUUID(), topics: new Set([topic]) };
    actions.set(key, action);
    queueMicrotask(() => {
      if (actions.get(key) === action) actions.delete(key);
    });
    return action.eventId;
  };
}

/** The order that a refund or an edit is about, else the thing itself. */
function subjectOf(payload: unknown): string {
  const { id, order_id: orderId, order_edit: edit } = Object(payload);
  return String(orderId ?? edit?.order_id ?? id ?? randomUUID());
}
