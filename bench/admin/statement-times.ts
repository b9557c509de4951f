import pg from "pg";

/** Times every statement of this process from the question to the last row, transaction commands included. */
export function statementTimes(): { reset(): void; sumMs(): number; stop(): void } {
  let sum = 0;
  const original = pg.Client.prototype.query;
  const timed = function (this: pg.Client, ...args: unknown[]) {
    const startedAt = performance.now();
    const answer: unknown = Reflect.apply(original, this, args);
    if (answer instanceof Promise)
      return answer.finally(() => {
        sum += performance.now() - startedAt;
      });
    return answer;
  };
  Reflect.set(pg.Client.prototype, "query", timed);
  return {
    reset: () => {
      sum = 0;
    },
    sumMs: () => sum,
    stop: () => void Reflect.set(pg.Client.prototype, "query", original),
  };
}
