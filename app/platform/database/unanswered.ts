import { Prisma } from "../../generated/prisma/client.ts";

/** Said in the statement itself: of what is asked for at one moment, Prisma does not tell who asked for what. */
const MARK = "/* unanswered */";

/**
 * Writes or locks without waiting for the answer: the statement goes out with the next one of its transaction, or with the
 * COMMIT (`PipelinedClient`). Should it fail, so does what is sent after it, with this statement's failure, and the
 * transaction with it. For a statement that nobody reads the answer of: no rows, no count, no failure that is caught inside
 * the transaction.
 */
export async function unanswered(
  tx: Pick<Prisma.TransactionClient, "$executeRaw">,
  statement: Prisma.Sql,
): Promise<void> {
  await tx.$executeRaw(Prisma.sql`${statement} ${Prisma.raw(MARK)}`);
}

/** Writes a statement for `unanswered`. */
export const { sql } = Prisma;

export const isUnanswered = (text: string): boolean => text.endsWith(MARK);
