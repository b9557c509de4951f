import { z } from "zod";

const MAX_CHARS = 100;

/**
 * The search text from an address: trimmed, and without characters that nobody can type. The end of a long one is cut off:
 * without any, a search would find everything.
 */
export const searchText = z
  .string()
  .transform((text) => [...text.replace(/\p{Cc}/gu, "").trim()].slice(0, MAX_CHARS).join(""))
  .catch("");
