import { expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import type { Connection } from "../../shops/connection.ts";
import { mayBeElsewhere } from "./other-client.ts";

const TEN_MINUTES = 10 * 60_000;

/** Whether an attempt of this moment may have reached another client's organisation. */
function elsewhere(connection: Partial<Connection> | null, attemptStartedAt: Date | null) {
  const asked: string[] = [];
  const find = async (environment: string) => {
    asked.push(environment);
    return connection as Connection | null;
  };
  const request = sampleRequest({ environment: "production", attemptStartedAt });
  return mayBeElsewhere(sampleTenant({ connections: { find } }), request).finally(() =>
    expect(asked).toEqual(["production"]),
  );
}
const since = { clientSince: DAY };
const after = (ms: number) => new Date(DAY.getTime() + ms);

test("knows that an attempt reached the only client there ever was", async () => {
  expect(await elsewhere({ clientSince: null }, DAY)).toBe(false);
  expect(await elsewhere(null, DAY)).toBe(false);
});

test("doubts an attempt from before the client changed, and for ten minutes after", async () => {
  expect(await elsewhere(since, after(-1))).toBe(true);
  expect(await elsewhere(since, after(TEN_MINUTES - 1))).toBe(true);
  expect(await elsewhere(since, after(TEN_MINUTES))).toBe(false);
});

test("doubts an attempt of which no moment is known", async () => {
  expect(await elsewhere(since, null)).toBe(true);
});
