import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import { unlessErased } from "../../../platform/encryption/unless-erased.ts";
import { gid } from "../../kernel/ids.ts";
import { patientSchema } from "../patient-schema.ts";
import {
  MAX_SAVED_PATIENTS,
  type SavedPatient,
  type SavedPatientRepository,
} from "../saved-patient.ts";

const detailsSchema = z.object({
  patient: patientSchema,
  medicare: z
    .object({ medicareCardNumber: z.string(), dvaNumber: z.string().nullable() })
    .nullable(),
});

const detailsField = (id: string) => ({ table: "saved_patients", column: "details", row: id });

/** Merged customers may have more than one can save. */
const MAX_READ = 10 * MAX_SAVED_PATIENTS;
const FIRST_SAVED = [{ createdAt: "asc" as const }, { id: "asc" as const }];

export function savedPatientRepository({ tx, shop, keys }: Scope): SavedPatientRepository {
  const seal = async (keyId: string, { id, patient, medicare }: SavedPatient) => {
    const sealer = await keys.sealer({ patient: keyId });
    return sealer.sealJson(detailsField(id), { patient, medicare });
  };
  const read = async (where: { customerId: string; id?: string }): Promise<SavedPatient[]> => {
    const rows = await tx.savedPatient.findMany({
      where: { shop, ...where },
      orderBy: FIRST_SAVED,
      take: MAX_READ,
    });
    const openerOf = await keys.openers(rows.map(({ keyId }) => ({ patient: keyId })));
    return rows.flatMap(({ id, keyId, detailsSealed }) => {
      const opened = unlessErased(() =>
        openerOf({ patient: keyId }).openJson(detailsField(id), detailsSealed),
      );
      return opened === null ? [] : [{ id, ...detailsSchema.parse(opened) }];
    });
  };
  const destroy = async (gone: { keyId: string }[]): Promise<number> => {
    await keys.destroy(gone.map(({ keyId }) => ({ patient: keyId })));
    return gone.length;
  };
  return {
    async lock(customerId) {
      const name = `${shop} saved patients ${customerId}`;
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
    },
    of: (customerId) => read({ customerId }),
    async idsOf(customerId) {
      const where = { shop, customerId };
      const rows = await tx.savedPatient.findMany({
        where,
        orderBy: FIRST_SAVED,
        take: MAX_READ,
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },
    find: async (customerId, id) => (await read({ customerId, id }))[0] ?? null,
    async add(customerId, saved, at) {
      const keyId = randomUUID();
      const row = { shop, id: saved.id, customerId, keyId, createdAt: at, updatedAt: at };
      const { count } = await tx.savedPatient.createMany({
        data: [{ ...row, detailsSealed: await seal(keyId, saved) }],
        skipDuplicates: true,
      });
      return count > 0;
    },
    async change(customerId, saved, at) {
      const where = { shop, id: saved.id, customerId };
      const row = await tx.savedPatient.findFirst({ where, select: { keyId: true } });
      if (!row) return false;
      const data = { detailsSealed: await seal(row.keyId, saved), updatedAt: at };
      const { count } = await tx.savedPatient.updateMany({ where, data });
      return count > 0;
    },
    async markUsed(customerId, id, at) {
      await tx.savedPatient.updateMany({
        where: { shop, customerId, id, updatedAt: { lt: at } },
        data: { updatedAt: at },
      });
    },
    async unusedSince(before, limit) {
      // A form that uses one meanwhile comes before this, or finds it gone.
      const rows = await tx.$queryRaw<{ id: string; customerId: string }[]>`
        SELECT id, customer_id AS "customerId" FROM saved_patients
        WHERE shop = ${shop} AND updated_at < ${before} ORDER BY updated_at LIMIT ${limit} FOR UPDATE`;
      return rows.map(({ id, customerId }) => ({ id, customerId: gid("Customer", customerId) }));
    },
    async remove(customerId, id) {
      const gone = await tx.$queryRaw<{ keyId: string }[]>`
        DELETE FROM saved_patients WHERE shop = ${shop} AND customer_id = ${customerId} AND id = ${id}::uuid
        RETURNING key_id AS "keyId"`;
      return (await destroy(gone)) > 0;
    },
    async removeAllOf(customerId, until = null) {
      return destroy(
        await tx.$queryRaw<{ keyId: string }[]>`
          DELETE FROM saved_patients WHERE shop = ${shop} AND customer_id = ${customerId}
            AND (${until}::timestamptz IS NULL OR created_at <= ${until}) RETURNING key_id AS "keyId"`,
      );
    },
    async removeByKeys(keyIds) {
      await destroy(
        await tx.$queryRaw<{ keyId: string }[]>`
          DELETE FROM saved_patients WHERE shop = ${shop} AND key_id = ANY(${keyIds}::uuid[])
          RETURNING key_id AS "keyId"`,
      );
    },
  };
}
