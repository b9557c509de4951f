import type { View } from "./view.ts";

/** A mutation refused for what it was given: answered beside the data, not as an error. */
export const userError = (field: string[] | null, message: string, extra: View = {}): View => ({
  field,
  message,
  ...extra,
});
