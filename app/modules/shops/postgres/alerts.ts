import { randomUUID } from "node:crypto";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { ALERT_KINDS, type AlertKind, type AlertRepository, MAX_RECIPIENTS } from "../alert.ts";
import { alertFacts } from "../alert-facts.ts";

const emailField = (id: string) => ({ table: "alert_recipients", column: "email", row: id });

/** An address has one fingerprint within a shop, and another as the secret of its link for each kind. */
const RECIPIENT = { table: "alert_mails", column: "recipient", row: "" };
const stopField = (kind: AlertKind) => ({ table: "alert_recipients", column: "stop", row: kind });

const normal = (address: string) => address.trim().toLowerCase();

export function alertRepository({ tx, shop, sealer }: Scope): AlertRepository {
  const recipientOf = (address: string) => sealer.fingerprint(RECIPIENT, normal(address));
  const key = (id: string) => ({ shop_id: { shop, id } });
  return {
    recipientOf,
    stopTokenOf: (address, kind) =>
      sealer.fingerprint(stopField(kind), normal(address)).toString("base64url"),
    async recipients() {
      const rows = await tx.alertRecipient.findMany({
        where: { shop },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: MAX_RECIPIENTS + 1,
      });
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
    async note({ occurrence, facts, address, at }) {
      const id = randomUUID();
      const { count } = await tx.alertMail.createMany({
        data: [
          {
            shop,
            id,
            kind: facts.kind,
            occurrence,
            facts,
            recipient: recipientOf(address),
            notedAt: at,
          },
        ],
        skipDuplicates: true,
      });
      return count > 0 ? id : null;
    },
    async lastNotedAt(kind) {
      const last = await tx.alertMail.aggregate({
        where: { shop, kind },
        _max: { notedAt: true },
      });
      return last._max.notedAt;
    },
    async noteAttention(orderId) {
      await tx.attentionNews.createMany({ data: [{ shop, orderId }], skipDuplicates: true });
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
      return (
        row && {
          id,
          kind: parseEnum(ALERT_KINDS, row.kind),
          facts: alertFacts.parse(row.facts),
          recipient: Buffer.from(row.recipient),
          sentAt: row.sentAt,
        }
      );
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
