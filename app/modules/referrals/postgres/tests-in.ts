import { z } from "zod";

const having = z.object({ tests: z.array(z.string()) });

/** Finds the ids of the tests of a stored reading; none where it does not say. */
export const testsIn = (reading: unknown): string[] => having.safeParse(reading).data?.tests ?? [];
