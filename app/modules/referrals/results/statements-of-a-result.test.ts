import { expect, test } from "vitest";
import { countStatements } from "../../../../test/database/count-statements.ts";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();

test("a result that comes is written down by what was read of its request once", async () => {
  const { shop, ports: all, uuids } = await startCreated(db);
  const [referralUuid = ""] = uuids();
  const real = await all.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const result = resultSnapshot({
    referralUuid,
    resultAttachment: "https://service.example/a.pdf",
  });
  const ports = {
    ...all,
    services: { forConnection: async () => ({ ...real, getResult: async () => result }) },
    attachments: {
      download: async () => ({ kind: "pdf" as const, bytes: Buffer.from("%PDF-1.7 report") }),
    },
  };
  const target = { shop, environment: "staging", uuid: result.uuid } as const;
  const statements = await countStatements(async () => {
    expect(await refetchResult(ports, target)).toMatchObject({ kind: "stored", document: true });
  });
  const { rows } = await db.pool.query(
    "SELECT kind FROM notifications WHERE shop = $1 AND kind = 'results_available'",
    [shop],
  );
  expect(rows).toHaveLength(1);
  // 31 where its request, and what is stored of it, were read once for each that asked.
  expect(statements).toBeLessThanOrEqual(24);
});
