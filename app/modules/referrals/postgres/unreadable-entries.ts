import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { UNREADABLE_KINDS, type UnreadableRepository } from "../unreadable-entry.ts";

const TOLD_FOR_MS = 7 * 24 * 3_600_000;
const MAX_TOLD = 50;
const MAX_FIELD_LENGTH = 200;
/** The name of an entry is somebody else's text, and may be too long for an index. */
const MAX_UUID_LENGTH = 100;

export function unreadableRepository({ tx, shop }: Scope): UnreadableRepository {
  return {
    async record(environment, entries, at) {
      for (const { kind, uuid: named, field: whole } of entries) {
        const uuid = named.slice(0, MAX_UUID_LENGTH);
        const field = whole.slice(0, MAX_FIELD_LENGTH);
        await tx.unreadableEntry.upsert({
          where: { shop_environment_kind_uuid: { shop, environment, kind, uuid } },
          create: { shop, environment, kind, uuid, field, firstSeenAt: at, lastSeenAt: at },
          update: { field, lastSeenAt: at },
        });
      }
    },
    async forget(environment, kind, uuids) {
      await unanswered(
        tx,
        Prisma.sql`
        DELETE FROM unreadable_entries
        WHERE shop = ${shop} AND environment = ${environment} AND kind = ${kind} AND uuid = ANY(${uuids}::text[])`,
      );
    },
    async forgetCatalogue(environment) {
      await tx.unreadableEntry.deleteMany({
        where: { shop, environment, kind: { in: ["test", "bundle"] } },
      });
    },
    async list(environment, now) {
      const rows = await tx.unreadableEntry.findMany({
        where: { shop, environment, lastSeenAt: { gte: new Date(now.getTime() - TOLD_FOR_MS) } },
        orderBy: [{ lastSeenAt: "desc" }, { uuid: "asc" }],
        take: MAX_TOLD,
      });
      return rows.map(({ uuid, field, firstSeenAt, lastSeenAt, kind }) => ({
        kind: parseEnum(UNREADABLE_KINDS, kind),
        uuid,
        field,
        firstSeenAt,
        lastSeenAt,
      }));
    },
  };
}
