import { z } from "zod";

/** The search text from an address: short, trimmed, and without characters that nobody can type. */
export const searchText = z
  .string()
  .transform((text) => text.replace(/\p{Cc}/gu, "").trim())
  .pipe(z.string().max(100))
  .catch("");
