import { z } from "zod";

/** What somebody searches for, from an address: short, trimmed, and without what nobody can type. */
export const searchText = z
  .string()
  .transform((text) => text.replace(/\p{Cc}/gu, "").trim())
  .pipe(z.string().max(100))
  .catch("");
