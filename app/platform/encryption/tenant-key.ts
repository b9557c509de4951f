import { createHash, randomBytes } from "node:crypto";
import type { ClientBase, Pool } from "pg";

const BLOCK_BYTES = 64;

/** A key that makes proofs, as the database keeps it: the two pads of HMAC-SHA-256 (prisma/access.sql). */
export interface TenantKey {
  innerPad: Buffer;
  outerPad: Buffer;
}

/** Reads PATHWAY_TENANT_KEYS: `id:base64 of 32 bytes`, comma separated, the one that makes proofs first. */
export function readTenantKeys(text: string): Map<string, TenantKey> {
  const keys = new Map<string, TenantKey>();
  for (const entry of text.split(",")) {
    const [, id, encoded = ""] = /^([a-z0-9_-]{1,32}):(.+)$/i.exec(entry.trim()) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (!id || bytes.length !== 32 || keys.has(id))
      throw new Error(
        "PATHWAY_TENANT_KEYS must be id:base64 of 32 bytes, several separated by commas.",
      );
    keys.set(id, toPads(bytes));
  }
  return keys;
}

export const randomTenantKey = (): TenantKey => toPads(randomBytes(32));

function toPads(key: Buffer): TenantKey {
  const pad = (byte: number) => Buffer.alloc(BLOCK_BYTES, byte).map((b, at) => b ^ (key[at] ?? 0));
  return { innerPad: Buffer.from(pad(0x36)), outerPad: Buffer.from(pad(0x5c)) };
}

function prove({ innerPad, outerPad }: TenantKey, message: string): string {
  const inner = createHash("sha256").update(innerPad).update(message).digest();
  return createHash("sha256").update(outerPad).update(inner).digest("hex");
}

/** What `enter_shop` asks for. */
export const shopProof = (key: TenantKey, shop: string): string => prove(key, `shop ${shop}`);

/** Makes a connection one of a process's own: it may see rows of all shops, as far as its login's grants go. */
export async function enterProcess(client: ClientBase, key: TenantKey): Promise<void> {
  await client.query("SELECT enter_process($1)", [prove(key, "process")]);
}

/** Reads a key as the owner of the database, who alone can. */
export async function readStoredTenantKey(client: Pick<Pool, "query">): Promise<TenantKey> {
  const { rows } = await client.query<TenantKey>(
    `SELECT inner_pad AS "innerPad", outer_pad AS "outerPad" FROM tenant_keys
     ORDER BY id LIMIT 1`,
  );
  if (!rows[0])
    throw new Error('The database has no tenant key: run "npm run migrate" as its owner.');
  return rows[0];
}
