import { Prisma } from "../../../generated/prisma/client.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { patientSchema } from "../../patients/patient-schema.ts";
import type { CorrectionRepository } from "../correction.ts";

type CorrectionRow = NonNullable<
  Awaited<ReturnType<Scope["tx"]["patientCorrection"]["findUnique"]>>
>;

const readCorrections = rowsOf<CorrectionRow>(
  "patient_corrections",
  Object.values(Prisma.PatientCorrectionScalarFieldEnum),
);
const readNumbers = rowsOf<Pick<CorrectionRow, "requestId" | "number">>("patient_corrections", [
  "requestId",
  "number",
]);

const patientField = (requestId: string, number: number) => ({
  table: "patient_corrections",
  column: "patient",
  row: `${requestId} ${number}`,
});

export function correctionRepository({ tx, shop, keys }: Scope): CorrectionRepository {
  return {
    async add(requestId, patient, at) {
      const latest = await tx.patientCorrection.findFirst({
        where: { shop, requestId },
        orderBy: { number: "desc" },
        select: { number: true },
      });
      const number = (latest?.number ?? 0) + 1;
      await tx.patientCorrection.updateMany({
        where: { shop, requestId, state: "pending" },
        data: { state: "superseded", patientSealed: null, settledAt: at },
      });
      const sealer = await keys.sealer({ request: requestId });
      const patientSealed = sealer.sealJson(patientField(requestId, number), patient);
      await tx.patientCorrection.create({
        data: { shop, requestId, number, patientSealed, savedAt: at },
      });
      return number;
    },
    async pending(requestId) {
      const [row] = await readCorrections(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ${requestId}::uuid AND state = 'pending'`,
      );
      if (!row?.patientSealed) return null;
      const { number, sendingUntil } = row;
      const opener = await keys.opener({ request: requestId });
      const opened = opener.openJson(patientField(requestId, number), row.patientSealed);
      return { number, sendingUntil, patient: patientSchema.parse(opened) };
    },
    async pendingNumbers(requestIds) {
      const rows = await readNumbers(
        tx,
        Prisma.sql`shop = ${shop} AND request_id = ANY(${requestIds}::uuid[]) AND state = 'pending'`,
      );
      return new Map(rows.map(({ requestId, number }) => [requestId, number]));
    },
    async wasRefused(requestId) {
      const latest = await tx.patientCorrection.findFirst({
        where: { shop, requestId },
        orderBy: { number: "desc" },
        select: { state: true },
      });
      return latest?.state === "refused";
    },
    async busyUntil(requestId) {
      const { _max } = await tx.patientCorrection.aggregate({
        where: { shop, requestId },
        _max: { sendingUntil: true },
      });
      return _max.sendingUntil;
    },
    async claim(requestId, number, until) {
      await tx.patientCorrection.updateMany({
        where: { shop, requestId, number },
        data: { sendingUntil: until },
      });
    },
    async release(requestId, number, until) {
      await tx.patientCorrection.updateMany({
        where: { shop, requestId, number, sendingUntil: until },
        data: { sendingUntil: null },
      });
    },
    async settle(requestId, number, state, at) {
      const { count } = await tx.patientCorrection.updateMany({
        where: { shop, requestId, number, state: "pending" },
        // The one that is still passed on keeps the next one waiting, settled or not.
        data: { state, patientSealed: null, settledAt: at },
      });
      return count > 0;
    },
  };
}
