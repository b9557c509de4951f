import { Client } from "pg";

let sent = 0;
let journeys = 0;
/** The statements of each connection that were sent and not answered yet. */
const underWay = new WeakMap<Client, number>();
const query = Client.prototype.query as (...args: unknown[]) => unknown;
// Before a connection is opened: each keeps the method that it was made with.
Client.prototype.query = function counted(this: Client, ...args: unknown[]) {
  sent++;
  const others = underWay.get(this) ?? 0;
  if (others === 0) journeys++;
  underWay.set(this, others + 1);
  const answer = query.apply(this, args);
  const answered = () => underWay.set(this, (underWay.get(this) ?? 1) - 1);
  if (answer instanceof Promise) answer.then(answered, answered);
  else if (!isSentWithCallback(answer)) answered();
  else {
    const { callback } = answer;
    answer.callback = (...told) => {
      answered();
      callback(...told);
    };
  }
  return answer;
} as typeof Client.prototype.query;

/** A statement of our own (`sendStatement`): pg returns it in the place of a promise. */
function isSentWithCallback(
  answer: unknown,
): answer is { callback: (...told: unknown[]) => unknown } {
  return typeof (answer as { callback?: unknown } | null)?.callback === "function";
}

/** Counts the statements that this process sends to PostgreSQL while `work` runs, on connections that are opened later. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const before = sent;
  await work();
  return sent - before;
}

/**
 * Counts the journeys to PostgreSQL and back while `work` runs, on connections that are opened later: what is sent before the
 * answer to something else is there is part of the same one.
 */
export async function countJourneys(work: () => Promise<unknown>): Promise<number> {
  const before = journeys;
  await work();
  return journeys - before;
}
