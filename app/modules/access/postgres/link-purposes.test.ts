import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startInvitation } from "../../../../test/database/invitation.ts";
import { hashSecret } from "../../kernel/secret.ts";
import { openLink, recogniseToken, whyClosed } from "../open-link.ts";

const db = await openTestDatabase();
const MIGRATION = new URL(
  "../../../../prisma/migrations/20261123060000_link_purposes/migration.sql",
  import.meta.url,
);

/** Does to rows of an earlier version what the migration does. */
async function migrateRows(): Promise<void> {
  const sql = (await readFile(MIGRATION, "utf8")).replace(/^--.*$/gm, "");
  for (const statement of sql.split(";"))
    if (statement.trim().startsWith("UPDATE")) await db.pool.query(statement);
}

/** A guest's order, and links as the earlier version made them: moments before their mail was sent. */
async function start() {
  const world = await startInvitation(db, { guest: true });
  const { shop, id, ports } = world;
  async function mailed(kind: string | null, minutes: number, link = "guest"): Promise<string> {
    const token = randomBytes(32).toString("base64url");
    const at = new Date(START.getTime() + minutes * 60_000);
    await db.pool.query(
      `INSERT INTO patient_links (shop, id, token_hash, request_id, kind, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6::timestamptz + interval '14 days', $6)`,
      [shop, randomUUID(), hashSecret(token), id, link, at],
    );
    const sent = new Date(at.getTime() + 800);
    if (kind)
      await db.pool.query(
        `INSERT INTO notifications (shop, id, request_id, kind, occurrence, sent_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [shop, randomUUID(), id, kind, String(minutes), sent],
      );
    return token;
  }
  const purposeOf = async (token: string) => {
    const { rows } = await db.pool.query<{ purpose: string; superseded: boolean }>(
      `SELECT purpose, superseded_at IS NOT NULL AS superseded FROM patient_links
       WHERE shop = $1 AND token_hash = $2`,
      [shop, hashSecret(token)],
    );
    return rows[0];
  };
  return { shop, ports, mailed, purposeOf };
}

test("gives mailed links of an earlier version the purpose of their mail, or the least", async () => {
  const { mailed, purposeOf } = await start();
  const asking = await mailed("details_needed", 0);
  const form = await mailed("form_ready", 10);
  const stop = await mailed(null, 15, "buyer_stop");
  const unknown = await mailed(null, 20);
  const results = await mailed("results_available", 30);
  await migrateRows();
  expect(await purposeOf(asking)).toEqual({ purpose: "details", superseded: true });
  expect(await purposeOf(form)).toEqual({ purpose: "form", superseded: true });
  expect(await purposeOf(stop)).toEqual({ purpose: "stop", superseded: false });
  expect(await purposeOf(unknown)).toEqual({ purpose: "details", superseded: false });
  expect(await purposeOf(results)).toEqual({ purpose: "results", superseded: false });
});

test("opens the newest mailed link of an earlier version, and no older one", async () => {
  const { mailed, ports, shop } = await start();
  const form = await mailed("form_ready", 10);
  const results = await mailed("results_available", 30);
  await migrateRows();
  expect(await whyClosed(ports, { shop, token: form })).toBe("superseded");
  expect(await openLink(ports, { shop, token: form })).toBeNull();
  expect(await recogniseToken(ports, { shop, token: results })).toMatchObject({
    kind: "guest",
    link: { purpose: "results", steppedUpAt: null },
  });
});
