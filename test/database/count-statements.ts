import { Client } from "pg";

let sent = 0;
const query = Client.prototype.query as (...args: unknown[]) => unknown;
// Before a connection is opened: each keeps the method that it was made with.
Client.prototype.query = function counted(this: Client, ...args: unknown[]) {
  sent++;
  return query.apply(this, args);
} as typeof Client.prototype.query;

/** Counts the statements that this process sends to PostgreSQL while `work` runs, on connections that are opened later. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const before = sent;
  await work();
  return sent - before;
}
