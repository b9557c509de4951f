/** Long because it is one repository: the versions of a PDF, where their bodies are, and what is missing or left over. */
import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { deflated, inflated } from "../../../platform/encryption/deflated.ts";
import { unlessDamaged } from "../../../platform/unless-damaged.ts";
import { gid } from "../../kernel/ids.ts";
import { isInItsTime } from "../../kernel/secret.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import {
  DOCUMENT_KINDS,
  type Document,
  type DocumentBody,
  type DocumentKind,
  type DocumentRepository,
  OBJECT_STORES,
  type PlacedBody,
} from "../document.ts";
import { isRedacted } from "./is-redacted.ts";

type DocumentRow = NonNullable<Awaited<ReturnType<Scope["tx"]["document"]["findUnique"]>>>;

type BodyRow = NonNullable<Awaited<ReturnType<Scope["tx"]["documentBody"]["findUnique"]>>>;

const readDocuments = rowsOf<DocumentRow>(
  "documents",
  Object.values(Prisma.DocumentScalarFieldEnum),
);

const readPlaces = rowsOf<Pick<BodyRow, "store" | "object" | "documentId" | "lostAt">>(
  "document_bodies",
  ["store", "object", "documentId", "lostAt"],
);
const readFormerObjects = rowsOf<{ object: string }>("former_objects", ["object"]);

const bodyField = (id: string) => ({ table: "document_bodies", column: "body", row: id });

export function documentRepository({ tx, shop, keys }: Scope): DocumentRepository {
  const key = (id: string) => ({ shop_id: { shop, id } });
  const columnsOf = async (documentId: string, request: string, body: DocumentBody) => {
    const sealer = await keys.sealer({ request });
    const isHere = Buffer.isBuffer(body);
    return {
      bodySealed: sealer.seal(bodyField(documentId), isHere ? deflated(body) : body.key),
      store: isHere ? null : body.store,
      object: isHere ? null : body.object,
    };
  };
  /** Opens the bodies of rows; null for one whose document is gone. Throws for one whose key is damaged. */
  const bodiesOf = async (rows: BodyRow[]): Promise<(row: BodyRow) => PlacedBody | null> => {
    const ids = rows.map(({ documentId }) => documentId);
    const documents = await readDocuments(
      tx,
      Prisma.sql`shop = ${shop} AND id = ANY(${ids}::uuid[])`,
    );
    const documentOf = new Map(documents.map((document) => [document.id, document]));
    const openerOf = await keys.openers(documents.map(({ requestId: request }) => ({ request })));
    return ({ documentId, bodySealed, store, object, lostAt }) => {
      const document = documentOf.get(documentId);
      if (!document) return null;
      const { requestId, bytes } = document;
      const opened = openerOf({ request: requestId }).open(bodyField(documentId), bodySealed);
      const body =
        store && object
          ? { store: parseEnum(OBJECT_STORES, store), object, key: opened }
          : inflated(opened, bytes);
      return { documentId, requestId, body, lostAt };
    };
  };
  /** All versions of a source, the newest first. */
  const versionsOf = ({ kind, sourceUuid }: Pick<DocumentRow, "kind" | "sourceUuid">) =>
    readDocuments(
      tx,
      Prisma.sql`shop = ${shop} AND kind = ${kind} AND source_uuid = ${sourceUuid}::uuid ORDER BY version DESC`,
    );
  /** The newest version of a source; null where it was taken away, or its PDF was lost. */
  const currentOf = async (of: Pick<DocumentRow, "kind" | "sourceUuid">) => {
    const [newest] = await versionsOf(of);
    if (!newest || newest.replacedAt) return null;
    const where = { shop, documentId: newest.id, lostAt: null };
    return (await tx.documentBody.count({ where })) > 0 ? newest : null;
  };
  const newestForUpdate: DocumentRepository["newestForUpdate"] = async ({ kind, sourceUuid }) => {
    // Versions of one source follow each other, also when two refetches end together.
    const source = `${shop} ${kind} ${sourceUuid}`;
    await unanswered(tx, Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${source}, 0))`);
    const [newest = null] = await versionsOf({ kind, sourceUuid });
    if (!newest) return null;
    const { replacedAt, drawnAnewAt } = newest;
    const isDrawnAnew = drawnAnewAt !== null;
    return { ...toDocument(newest), isReplaced: replacedAt !== null, isDrawnAnew };
  };
  return {
    newestForUpdate,
    async store(document, body, at, known) {
      const { kind, sourceUuid, id } = document;
      if (await isRedacted({ tx, shop }, document.requestId)) return null;
      const newest = known === undefined ? await newestForUpdate(document) : known;
      const isSame = newest?.sha256 === document.sha256 && newest.partial === document.partial;
      if (newest && isSame && !(newest.isReplaced && newest.isDrawnAnew)) {
        const { customerId } = document;
        if (newest.isReplaced)
          await tx.document.update({
            where: key(newest.id),
            data: { replacedAt: null, customerId },
          });
        // It may have been away only: a backup points there still.
        await unanswered(
          tx,
          Prisma.sql`
          INSERT INTO former_objects (shop, object, left_at)
          SELECT shop, object, ${at} FROM document_bodies
          WHERE shop = ${shop} AND document_id = ${newest.id}::uuid AND lost_at IS NOT NULL AND object IS NOT NULL`,
        );
        await tx.documentBody.updateMany({
          where: { shop, documentId: newest.id, lostAt: { not: null } },
          data: { ...(await columnsOf(newest.id, document.requestId, body)), lostAt: null },
        });
        return null;
      }
      if (newest)
        await unanswered(
          tx,
          Prisma.sql`
          UPDATE documents SET replaced_at = ${at}
          WHERE shop = ${shop} AND kind = ${kind} AND source_uuid = ${sourceUuid}::uuid AND replaced_at IS NULL`,
        );
      const { requestId, customerId, partial, sha256, bytes } = document;
      const version = (newest?.version ?? 0) + 1;
      const drawnAnewAt = kind === "referral" && newest && !newest.isReplaced ? at : null;
      const { bodySealed, store, object } = await columnsOf(id, requestId, body);
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO documents (shop, id, request_id, customer_id, kind, source_uuid, version, partial, sha256, bytes, created_at,
                               drawn_anew_at)
        VALUES (${shop}, ${id}::uuid, ${requestId}::uuid, ${customerId}, ${kind}, ${sourceUuid}::uuid, ${version}, ${partial},
                ${sha256}, ${bytes}, ${at}, ${drawnAnewAt})`,
      );
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO document_bodies (shop, document_id, body_sealed, store, object)
        VALUES (${shop}, ${id}::uuid, ${bodySealed}, ${store}, ${object}::uuid)`,
      );
      return { ...document, version, createdAt: at };
    },
    async isCurrent({ kind, sourceUuid, sha256, partial }) {
      const newest = await currentOf({ kind, sourceUuid });
      return newest?.sha256 === sha256 && newest.partial === partial;
    },
    hasCurrent: async (of) => (await currentOf(of)) !== null,
    async revoke(requestId, at) {
      const deleted = await tx.referral.findMany({
        where: { shop, requestId, deletedAt: { not: null } },
        select: { uuid: true },
      });
      const sourceUuid = { in: deleted.map(({ uuid }) => uuid) };
      await tx.document.updateMany({
        where: { shop, requestId, kind: "referral", sourceUuid, replacedAt: null },
        data: { replacedAt: at },
      });
    },
    async withdrawReport(sourceUuid, at) {
      const { count } = await tx.document.updateMany({
        where: { shop, kind: "result", sourceUuid, replacedAt: null },
        data: { replacedAt: at },
      });
      return count > 0;
    },
    async missing(limit, askedBefore) {
      const rows = await tx.$queryRaw<{ kind: string; environment: string; uuid: string }[]>`
        WITH lately AS (
          SELECT id FROM referral_requests
          WHERE shop = ${shop} AND created_at > now() - interval '30 days'
          UNION
          SELECT request_id FROM documents
          WHERE shop = ${shop} AND replaced_at > now() - interval '30 days'
        ), wanted AS (
          SELECT r.id FROM lately JOIN referral_requests r ON r.shop = ${shop} AND r.id = lately.id
          WHERE r.state = 'created' AND r.cancellation_status IS NULL AND r.redacted_at IS NULL
        ), due AS (
          SELECT 'referral' AS kind, f.environment, f.uuid, f.fetched_at FROM referrals f
          WHERE f.shop = ${shop} AND f.request_id IN (SELECT id FROM wanted)
            AND f.status NOT IN ('CREATED', 'SCHEDULED_REISSUE')
            AND f.deleted_at IS NULL AND f.replaced_by IS NULL
            AND (f.status = 'ISSUED' OR f.fetched_at < coalesce(${askedBefore}::timestamptz, 'infinity'))
          UNION ALL
          SELECT 'result', s.environment, s.uuid, s.fetched_at FROM results s
          WHERE s.shop = ${shop} AND s.request_id IN (SELECT id FROM wanted)
            AND s.deleted_at IS NULL
            AND s.fetched_at < coalesce(${askedBefore}::timestamptz, 'infinity')
        )
        SELECT kind, environment, uuid FROM due WHERE NOT EXISTS (
          SELECT FROM documents d
          WHERE d.shop = ${shop} AND d.kind = due.kind AND d.source_uuid = due.uuid
            AND d.replaced_at IS NULL)
        ORDER BY fetched_at LIMIT ${limit}`;
      return rows.map(({ kind, environment, uuid }) => ({
        kind: parseEnum(DOCUMENT_KINDS, kind),
        environment: parseEnum(ENVIRONMENTS, environment),
        uuid,
      }));
    },
    async awaitPdf({ kind, sourceUuid, requestId }, at) {
      if (await isRedacted({ tx, shop }, requestId)) return null;
      const table = tableOf(kind);
      const rows = await tx.$queryRaw<{ since: Date }[]>`
        UPDATE ${table} SET pdf_awaited_since = coalesce(pdf_awaited_since, ${at})
        WHERE shop = ${shop} AND uuid = ${sourceUuid}::uuid AND deleted_at IS NULL AND NOT EXISTS (
          SELECT FROM documents d JOIN document_bodies b ON b.shop = d.shop AND b.document_id = d.id
          WHERE d.shop = ${shop} AND d.kind = ${kind} AND d.source_uuid = ${sourceUuid}::uuid
            AND d.replaced_at IS NULL AND b.lost_at IS NULL)
        RETURNING pdf_awaited_since AS since`;
      return rows[0]?.since ?? null;
    },
    async endAwaiting({ kind, sourceUuid }) {
      await unanswered(
        tx,
        Prisma.sql`
        UPDATE ${tableOf(kind)} SET pdf_awaited_since = NULL
        WHERE shop = ${shop} AND uuid = ${sourceUuid}::uuid AND pdf_awaited_since IS NOT NULL`,
      );
    },
    async isAnyAwaited(requestId) {
      const awaited = { shop, requestId, pdfAwaitedSince: { not: null }, deletedAt: null };
      return (
        (await tx.referral.count({ where: awaited })) +
          (await tx.result.count({ where: awaited })) >
        0
      );
    },
    async forRequests(requestIds) {
      const rows = await readDocuments(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ANY(${requestIds}::uuid[]) AND replaced_at IS NULL
          ORDER BY kind, created_at`,
      );
      return rows.map(toDocument);
    },
    async find(id) {
      const row = await tx.document.findUnique({ where: key(id) });
      return row && toDocument(row);
    },
    async body(id) {
      const row = await tx.documentBody.findUnique({
        where: { shop_documentId: { shop, documentId: id } },
      });
      return row && ((await bodiesOf([row]))(row)?.body ?? null);
    },
    async bodiesOutside(requestIds) {
      const ids = await tx.document.findMany({
        where: { shop, requestId: { in: requestIds } },
        select: { id: true },
      });
      const documentId = { in: ids.map(({ id }) => id) };
      const where = { shop, documentId, object: { not: null } };
      const rows = await tx.documentBody.findMany({ where });
      if (rows.length === 0) return [];
      const bodyOf = await bodiesOf(rows);
      const found = await Promise.all(rows.map((row) => unlessDamaged(async () => bodyOf(row))));
      return found.flatMap((one) => one ?? []);
    },
    async elsewhere(target, { after, limit }) {
      const others = [null, ...OBJECT_STORES].filter((store) => store !== target);
      const behind = after ? Prisma.sql`AND document_id > ${after}::uuid` : Prisma.empty;
      // Each is a range of an index: where nothing has to be moved, nothing is read.
      const ranges = others.map((store) =>
        store === null ? Prisma.sql`store IS NULL` : Prisma.sql`store = ${store}`,
      );
      const rows = await readPlaces(
        tx,
        Prisma.sql`shop = ${shop} ${behind} AND (${Prisma.join(ranges, " OR ")})
          ORDER BY document_id LIMIT ${limit}`,
      );
      return rows.map(({ documentId }) => documentId);
    },
    async move({ documentId, requestId, body: from }, to, at) {
      if (await isRedacted({ tx, shop }, requestId)) return false;
      const object = Buffer.isBuffer(from) ? null : from.object;
      const { count } = await tx.documentBody.updateMany({
        where: { shop, documentId, object },
        data: { ...(await columnsOf(documentId, requestId, to)), lostAt: null },
      });
      if (count > 0 && object)
        await unanswered(
          tx,
          Prisma.sql`
          INSERT INTO former_objects (shop, object, left_at) VALUES (${shop}, ${object}::uuid, ${at})`,
        );
      return count > 0;
    },
    async leftSince({ from, until }, since) {
      const objects = Prisma.sql`shop = ${shop} AND ${isBetween({ from, until })}`;
      await unanswered(
        tx,
        Prisma.sql`DELETE FROM former_objects WHERE ${objects} AND left_at < ${since}`,
      );
      const rows = await readFormerObjects(tx, objects);
      return new Set(rows.map((row) => row.object));
    },
    async objectsIn({ from, until }) {
      const rows = await readPlaces(
        tx,
        Prisma.sql`shop = ${shop} AND ${isBetween({ from, until })}`,
      );
      return rows.flatMap(({ store, object, documentId, lostAt }) =>
        store && object
          ? [
              {
                store: parseEnum(OBJECT_STORES, store),
                object,
                documentId,
                isLost: lostAt !== null,
              },
            ]
          : [],
      );
    },
    async setLost(bodies, at) {
      if (bodies.length === 0) return [];
      const here = await tx.documentBody.findMany({
        where: { shop, OR: bodies.map(({ documentId, object }) => ({ documentId, object })) },
        select: { documentId: true },
      });
      const documentIds = here.map(({ documentId }) => documentId);
      await tx.documentBody.updateMany({
        where: {
          ...{ shop, documentId: { in: documentIds } },
          // A document that is asked for again has been lost since the first time.
          lostAt: at === null ? { not: null } : null,
        },
        data: { lostAt: at },
      });
      const rows = await tx.$queryRaw<{ kind: string; environment: string; uuid: string }[]>`
        SELECT d.kind, coalesce(f.environment, s.environment) AS environment, d.source_uuid::text AS uuid
        FROM documents d
        LEFT JOIN referrals f ON d.kind = 'referral' AND f.shop = ${shop} AND f.uuid = d.source_uuid
        LEFT JOIN results s ON d.kind = 'result' AND s.shop = ${shop} AND s.uuid = d.source_uuid
        WHERE d.shop = ${shop} AND d.id = ANY(${documentIds}::uuid[]) AND d.replaced_at IS NULL
          AND coalesce(f.environment, s.environment) IS NOT NULL`;
      return rows.map(({ kind, environment, uuid }) => ({
        kind: parseEnum(DOCUMENT_KINDS, kind),
        environment: parseEnum(ENVIRONMENTS, environment),
        uuid,
      }));
    },

    async saveTicket(ticketHash, documentId, expiresAt) {
      await tx.documentTicket.deleteMany({
        where: { shop, expiresAt: { lt: new Date(expiresAt.getTime() - 3_600_000) } },
      });
      await tx.documentTicket.create({
        data: { shop, ticketHash: new Uint8Array(ticketHash), documentId, expiresAt },
      });
    },
    async takeTicket(ticketHash, now) {
      const taken = await tx.$queryRaw<{ documentId: string; expiresAt: Date }[]>`
        DELETE FROM document_tickets WHERE shop = ${shop} AND ticket_hash = ${ticketHash}
        RETURNING document_id AS "documentId", expires_at AS "expiresAt"`;
      const ticket = taken[0];
      const isGood = ticket && isInItsTime("document_ticket", ticket.expiresAt, now);
      return isGood ? ticket.documentId : null;
    },
  };
}

/** Names of objects from one on, up to another. */
const isBetween = ({ from, until }: { from: string; until: string | null }) =>
  until
    ? Prisma.sql`object >= ${from}::uuid AND object < ${until}::uuid`
    : Prisma.sql`object >= ${from}::uuid`;

const tableOf = (kind: DocumentKind) =>
  kind === "referral" ? Prisma.sql`referrals` : Prisma.sql`results`;

function toDocument(row: DocumentRow): Document {
  const { id, requestId, sourceUuid, version, partial, sha256, bytes, createdAt } = row;
  return {
    id,
    requestId,
    customerId: row.customerId === null ? null : gid("Customer", row.customerId),
    kind: parseEnum(["referral", "result"], row.kind),
    sourceUuid,
    version,
    partial,
    sha256,
    bytes,
    createdAt,
  };
}
