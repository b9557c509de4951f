import { z } from "zod";
import { randomSecret } from "../storage/secrets.ts";
import type { Stores } from "../storage/stores.ts";

/** The organisation that exists from the start, as the ready line tells it. */
export interface SeededOrganisation {
  organisationId: number;
  clientId: string;
  clientSecret: string;
  consoleToken: string;
}

const seeded = z.object({
  organisationId: z.number(),
  clientId: z.string(),
  clientSecret: z.string(),
  consoleToken: z.string(),
});

/** The sign-in of the seeded account; its password is the console token. */
export const seededEmail = "owner@harbour-health.example";

/**
 * Makes sure that an organisation with a verified profile, a billing method and a store-integration
 * credential exists, and returns the same credentials at every start on the same data.
 */
export function ensureSeededOrganisation(stores: Stores, nowMs: number): SeededOrganisation {
  const existing = stores.settings.get("seed");
  if (existing !== null) return seeded.parse(JSON.parse(existing));
  return stores.database.transaction(() => {
    const consoleToken = randomSecret("console");
    const account = stores.accounts.create(seededEmail, consoleToken);
    if (!account) throw new Error("the seeded account exists without its settings");
    stores.accounts.setProfile(account, {
      firstName: "Robin",
      lastName: "Hart",
      practitionerType: "Other",
    });
    stores.accounts.setVerified(account);
    const organisation = stores.organisations.create("Harbour Health");
    stores.organisations.save({ ...organisation, billing: "valid" });
    stores.accounts.setOrganisation(account, organisation.id);
    const { clientId, clientSecret } = stores.credentials.create({
      organisationId: organisation.id,
      accountId: account.id,
      origin: "STORE_INTEGRATION",
      nowMs,
    });
    const seed = { organisationId: organisation.id, clientId, clientSecret, consoleToken };
    stores.settings.set("seed", JSON.stringify(seed));
    return seed;
  });
}
