import { expect, test } from "vitest";
import { sumByFolder } from "./coverage-folders.ts";

const counts = (covered: number, total: number) => ({
  lines: { covered, total },
  branches: { covered: covered * 2, total: total * 2 },
});

test("adds files up by folder and room, and the whole last", () => {
  const files = {
    total: counts(99, 99),
    "/r/app/server.ts": counts(0, 1),
    "/r/app/platform/a.ts": counts(1, 2),
    "/r/app/platform/deep/b.ts": counts(1, 2),
    "/r/app/modules/orders/c.ts": counts(3, 4),
    "/r/app/modules/access/links/d.ts": counts(1, 1),
    "/r/test/e.ts": counts(9, 9),
  };
  expect(sumByFolder(files, "/r/app/")).toEqual([
    ["app/*", counts(0, 1)],
    ["app/modules/access", counts(1, 1)],
    ["app/modules/orders", counts(3, 4)],
    ["app/platform", counts(2, 4)],
    ["app", counts(6, 10)],
  ]);
});
