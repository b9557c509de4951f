import { z } from "zod";
import type { NamedPerson } from "../snapshots.ts";

const said = z.string().catch("");
const saidOrNot = z.string().nullable().catch(null);

const namedIn = z.object({
  person: z.object({ firstName: said, lastName: said, dob: saidOrNot }),
  medicareCardNumber: saidOrNot,
});

/** Finds the person of a stored reading, which stands there as the service wrote it; null where it names none. */
export function personIn(reading: unknown): NamedPerson | null {
  const { data } = namedIn.safeParse(reading);
  return data ? { ...data.person, medicareCardNumber: data.medicareCardNumber } : null;
}
