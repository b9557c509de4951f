import type { Environment } from "../../domain/connections/connection.ts";

/** The address of a selection of variants. */
export function addressOf(selection: {
  environment?: Environment;
  search: string;
  after?: string | null;
  trail?: string[];
}): string {
  const query = new URLSearchParams();
  if (selection.environment) query.set("environment", selection.environment);
  if (selection.search) query.set("q", selection.search);
  for (const cursor of selection.trail ?? []) query.append("trail", cursor);
  if (selection.after) query.set("after", selection.after);
  const text = query.toString();
  return `/app/mappings${text ? `?${text}` : ""}`;
}
