import type { Environment } from "../../modules/shops/connection.ts";
import type { Selection } from "./selection.ts";

/** Where one variant is mapped; mappings belong to an environment, and without one it is where new orders go. */
export function variantAddress(number: string, environment: Selection["environment"]): string {
  return `/app/mappings/${number}${environment ? `?environment=${environment}` : ""}`;
}

/** Where a file for one environment is imported. */
export function importAddress(environment: Environment): string {
  return `/app/mappings/import?environment=${environment}`;
}

/** The address of a selection of variants. */
export function addressOf(selection: Partial<Selection>): string {
  const query = new URLSearchParams();
  if (selection.environment) query.set("environment", selection.environment);
  if (selection.state) query.set("state", selection.state);
  if (selection.search) query.set("q", selection.search);
  if (selection.after) query.set("after", selection.after);
  else if (selection.before) query.set("before", selection.before);
  const text = query.toString();
  return `/app/mappings${text ? `?${text}` : ""}`;
}
