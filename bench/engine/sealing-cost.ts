import { randomBytes } from "node:crypto";
import type { Sealer } from "../../app/platform/encryption/sealer.ts";
import type { Sealers } from "../../app/platform/encryption/sealers.ts";
import { createInboxWriter, type InboxWriter } from "../../app/web/intake/inbox-writer.ts";
import { type Figures, median } from "../figure.ts";
import { benchPostgres, SHOP, startHost } from "./host.ts";
import { rounded } from "./numbers.ts";

const ROUNDS = 7;
const ROUND_MS = 3_000;
const AT_ONCE = 16;
const BODY = randomBytes(6_000);
const GOAL = 0.9;

/** The bytes that the sealer adds to a value: version, nonce and tag. */
const OVERHEAD = 33;

/**
 * P12: messages stored per second with sealed bodies ÷ the same rows, of the same size, without sealing. The
 * other half of the name, the audit trail, is rows in the same transactions and cannot be taken out from outside.
 */
export async function measureSealingCost(): Promise<Figures> {
  await using postgres = await benchPostgres();
  await using host = await startHost(postgres.url, async () => {}, { works: false });
  const { pool } = host.database;
  const stores = {
    sealed: host.writeToInbox,
    plain: createInboxWriter({ pool, sealers: without }),
  };
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const order = round % 2 === 0 ? (["sealed", "plain"] as const) : (["plain", "sealed"] as const);
    const perSecond = { sealed: 0, plain: 0 };
    for (const which of order) {
      perSecond[which] = await messagesPerSecond(stores[which], `${which}-${round}`);
      await pool.query("TRUNCATE inbox");
      await pool.query("CHECKPOINT");
    }
    const { sealed, plain } = perSecond;
    if (round > 0)
      rounds.push({
        sealed_per_s: Math.round(sealed),
        plain_per_s: Math.round(plain),
        ratio: rounded(sealed / plain, 3),
      });
  }
  const value = rounded(median(rounds.map((round) => round.ratio ?? Number.NaN)), 3);
  const unit = "messages stored/s, sealed ÷ in clear";
  return { P12: { value, unit, goal: `≥ ${GOAL}`, met: value >= GOAL, rounds } };
}

async function messagesPerSecond(write: InboxWriter, run: string): Promise<number> {
  const startedAt = performance.now();
  let stored = 0;
  const one = async (lane: number) => {
    for (let n = 0; performance.now() - startedAt < ROUND_MS; n++) {
      await write({
        shop: SHOP,
        source: "shopify",
        topic: "products/update",
        eventId: `${run}-${lane}-${n}`,
        deliveryId: null,
        triggeredAt: null,
        body: BODY,
      });
      stored++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => one(lane)));
  return (stored * 1000) / (performance.now() - startedAt);
}

const padded = (plaintext: Buffer | string) =>
  Buffer.concat([Buffer.alloc(OVERHEAD), Buffer.from(plaintext)]);
const refusing = () => {
  throw new Error("nothing is read here");
};
const plainSealer: Sealer = {
  seal: (_, plaintext) => padded(plaintext),
  sealJson: (_, value) => padded(JSON.stringify(value)),
  open: refusing,
  openJson: refusing,
};
const plainShopSealer = {
  ...plainSealer,
  messages: plainSealer,
  fingerprint: () => Buffer.alloc(32),
  switchedAt: null,
};
const without: Pick<Sealers, "forShop" | "remembered" | "forgetFormer"> = {
  forShop: async () => plainShopSealer,
  remembered: () => plainShopSealer,
  forgetFormer: () => {},
};
