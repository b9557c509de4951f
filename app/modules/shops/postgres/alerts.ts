import { randomUUID } from "node:crypto";
import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { equalSecrets, latestMade } from "../../kernel/secret.ts";
import { ALERT_KINDS, type AlertKind, type AlertRepository, MAX_RECIPIENTS } from "../alert.ts";
import { alertFacts } from "../alert-facts.ts";

type RecipientRow = NonNullable<Awaited<ReturnType<Scope["tx"]["alertRecipient"]["findUnique"]>>>;

const readRecipients = rowsOf<RecipientRow>(
  "alert_recipients",
  Object.values(Prisma.AlertRecipientScalarFieldEnum),
);

const emailField = (id: string) => ({ table: "alert_recipients", column: "email", row: id });

/** An address has one fingerprint within a shop, and another as the secret of its link for each kind. */
const RECIPIENT = { table: "alert_mails", column: "recipient", row: "" };
const stopField = (kind: AlertKind) => ({ table: "alert_recipients", column: "stop", row: kind });

/**
 * The first half of a link's secret is half of the address's fingerprint, the other half proves that and names the kind. So
 * the link of somebody who has left the list still says what it was for, and nothing of it is stored.
 */
const HALF_BYTES = 16;

const normal = (address: string) => address.trim().toLowerCase();

export function alertRepository({ tx, shop, sealer }: Scope): AlertRepository {
  const recipientOf = (address: string) => sealer.fingerprint(RECIPIENT, normal(address));
  const nameOf = (address: string) => recipientOf(address).subarray(0, HALF_BYTES);
  const proofOf = (name: Buffer, kind: AlertKind) =>
    sealer.fingerprint(stopField(kind), name.toString("hex")).subarray(0, HALF_BYTES);
  const key = (id: string) => ({ shop_id: { shop, id } });
  return {
    recipientOf,
    stopTokenOf(address, kind) {
      const name = nameOf(address);
      return Buffer.concat([name, proofOf(name, kind)]).toString("base64url");
    },
    readStopToken(token) {
      const bytes = Buffer.from(token, "base64url");
      const [name, proof] = [bytes.subarray(0, HALF_BYTES), bytes.subarray(HALF_BYTES)];
      const kind = ALERT_KINDS.find((one) => equalSecrets(proof, proofOf(name, one)));
      return kind ? { kind, isOf: (address) => nameOf(address).equals(name) } : null;
    },
    async recipients() {
      const rows = await readRecipients(
        tx,
        Prisma.sql`shop = ${shop} ORDER BY created_at, id LIMIT ${MAX_RECIPIENTS + 1}`,
      );
      return rows.map(({ id, emailSealed, kinds, stopped }) => ({
        id,
        email: emailSealed && sealer.open(emailField(id), emailSealed).toString(),
        kinds: kinds.map((kind) => parseEnum(ALERT_KINDS, kind)),
        stopped: stopped.map((kind) => parseEnum(ALERT_KINDS, kind)),
      }));
    },
    async saveRecipient({ id, email, kinds, stopped }) {
      const emailSealed = email === null ? null : sealer.seal(emailField(id), email);
      const data = { emailSealed, kinds, stopped };
      await tx.alertRecipient.upsert({
        where: key(id),
        create: { shop, id, ...data },
        update: data,
      });
    },
    async removeRecipient(id) {
      await tx.alertRecipient.deleteMany({ where: { shop, id } });
    },
    async lockRecipients() {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`alerts ${shop}`}, 0))`;
    },
    async note({ occurrence, facts, reader, at }) {
      const id = randomUUID();
      const { count } = await tx.alertMail.createMany({
        data: [
          {
            shop,
            id,
            kind: facts.kind,
            occurrence,
            facts,
            recipient: recipientOf(reader.address),
            recipientId: reader.id,
            notedAt: at,
          },
        ],
        skipDuplicates: true,
      });
      return count > 0 ? id : null;
    },
    async lastNotedAt(kind, now) {
      const [last] = await tx.$queryRaw<{ notedAt: Date | null }[]>`
        SELECT max(noted_at) AS "notedAt" FROM alert_mails
        WHERE shop = ${shop} AND kind = ${kind} AND noted_at <= ${latestMade(now)}`;
      return last?.notedAt ?? null;
    },
    async noteAttention(orderId) {
      // Held where it is noted already: whoever collects it then waits for what it is noted for now.
      await tx.$executeRaw`
        INSERT INTO attention_news (shop, order_id) VALUES (${shop}, ${orderId})
        ON CONFLICT (shop, order_id) DO UPDATE SET order_id = EXCLUDED.order_id`;
    },
    async takeAttention(limit) {
      const rows = await tx.$queryRaw<{ orderId: string }[]>`
        DELETE FROM attention_news WHERE shop = ${shop} AND order_id IN (
          SELECT order_id FROM attention_news WHERE shop = ${shop} ORDER BY order_id LIMIT ${limit})
        RETURNING order_id AS "orderId"`;
      return rows.map(({ orderId }) => gid("Order", orderId));
    },
    async nextMorning(now, timeZone) {
      const [next] = await tx.$queryRaw<{ at: Date; day: string }[]>`
        SELECT at, to_char((at AT TIME ZONE ${timeZone})::date - 1, 'YYYY-MM-DD') AS day FROM (
          SELECT (((${now}::timestamptz AT TIME ZONE ${timeZone})::date + ahead) + time '08:00')
                   AT TIME ZONE ${timeZone} AS at
          FROM generate_series(0, 1) AS ahead
        ) AS mornings WHERE at > ${now}::timestamptz ORDER BY at LIMIT 1`;
      if (!next) throw new Error("A morning follows every moment");
      return next;
    },
    async find(id) {
      const row = await tx.alertMail.findUnique({ where: key(id) });
      if (!row) return null;
      const recipient = Buffer.from(row.recipient);
      const { putOffSince: since, putOffLast: last } = row;
      return {
        id,
        kind: parseEnum(ALERT_KINDS, row.kind),
        occurrence: row.occurrence,
        facts: alertFacts.parse(row.facts),
        recipient,
        recipientId: row.recipientId,
        notedAt: row.notedAt,
        sentAt: row.sentAt,
        putOff: since && last && { since, last, by: recipient },
      };
    },
    async isNotedBeside({ id, kind, occurrence }) {
      const others = { shop, kind, occurrence, id: { not: id } };
      return (await tx.alertMail.findFirst({ where: others, select: { id: true } })) !== null;
    },
    async waiting(kinds, limit) {
      const rows = await tx.alertMail.findMany({
        where: { shop, kind: { in: [...kinds] }, sentAt: null },
        orderBy: { notedAt: "asc" },
        select: { id: true },
        take: limit,
      });
      return rows.map(({ id }) => id);
    },
    async readdress(id, { id: recipientId, address }) {
      const changed = await tx.$executeRaw`
        UPDATE alert_mails m SET recipient = ${recipientOf(address)}, recipient_id = ${recipientId}::uuid,
          put_off_since = NULL, put_off_last = NULL
        WHERE m.shop = ${shop} AND m.id = ${id}::uuid AND NOT EXISTS (
          SELECT FROM alert_mails other WHERE other.shop = m.shop AND other.kind = m.kind
            AND other.occurrence = m.occurrence AND other.recipient = ${recipientOf(address)})`;
      return changed > 0;
    },
    async markSent(id, sentAt) {
      await tx.alertMail.updateMany({ where: { shop, id }, data: { sentAt } });
    },
    async markRefused(id, refusedAt) {
      await tx.alertMail.updateMany({
        where: { shop, id },
        data: { sentAt: refusedAt, refusedAt },
      });
    },
    async markPutOff(id, { since: putOffSince, last: putOffLast }) {
      await tx.alertMail.updateMany({ where: { shop, id }, data: { putOffSince, putOffLast } });
    },
    async recordOther({ kind, occurrence, address, at, isRefused }) {
      const outcome = { sentAt: at, refusedAt: isRefused ? at : null };
      const recipient = new Uint8Array(recipientOf(address));
      await tx.alertMail.upsert({
        where: { shop_kind_occurrence_recipient: { shop, kind, occurrence, recipient } },
        create: {
          ...{ shop, id: randomUUID(), kind, occurrence, recipient },
          ...{ facts: {}, notedAt: at, ...outcome },
        },
        update: outcome,
      });
    },
    async forget(id) {
      await tx.alertMail.deleteMany({ where: { shop, id } });
    },
    async refusedBy(addresses) {
      const refused: string[] = [];
      for (const address of addresses) {
        const last = await tx.alertMail.findFirst({
          where: { shop, recipient: recipientOf(address), sentAt: { not: null } },
          orderBy: { sentAt: "desc" },
          select: { refusedAt: true },
        });
        if (last?.refusedAt) refused.push(address);
      }
      return refused;
    },
  };
}
