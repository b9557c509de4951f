import type { CredentialsDocument } from "./install.ts";
import type { Tables } from "./tables.ts";

/** The app as it is registered: its id, key and secrets. */
export function credentials({ data }: { data: Tables }): CredentialsDocument {
  const found = data.credentials.get("app");
  if (!found) throw new Error("the store has no app credentials: it was not seeded");
  return found;
}

/** The secret that the platform signs with: during a rotation the old one, until it is revoked. */
export function signingSecret({ data }: { data: Tables }): string {
  const secret = credentials({ data }).secrets.at(-1);
  if (secret === undefined) throw new Error("the app has no secret");
  return secret;
}
