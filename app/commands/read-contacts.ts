import { join } from "node:path";
import type { Pool } from "pg";
import type { CustomerId, ShopDomain } from "../modules/kernel/ids.ts";
import { fullName } from "../modules/patients/person-name.ts";
import { openDatabase } from "../platform/database/database.ts";
import { bindKeyStore } from "../platform/encryption/bind-key-store.ts";
import { createEpochs } from "../platform/encryption/epochs.ts";
import { createKeyFolder } from "../platform/encryption/key-folder.ts";
import { readMasterKeys } from "../platform/encryption/master-keys.ts";
import { createSealers } from "../platform/encryption/sealers.ts";
import { errorCode } from "../platform/error-code.ts";
import { createTenancy } from "../tenancy.ts";
import { CommandError } from "./open-command.ts";

/** How to reach the person whose data one request holds, or whom a customer saved. */
type Contact = ({ requestId: string } | { savedPatientId: string }) & {
  name: string;
  email: string | null;
  phone: string | null;
};

/** The folder in which each database's part of it lies. */
const keyFolder = () =>
  createKeyFolder(
    process.env.PATHWAY_KEY_DIR || join(process.env.PATHWAY_DATA_DIR ?? ".data", "keys"),
  );

/**
 * Opens name, email and phone of the patients of these requests, and of these saved patients, with the operator's keys. Each
 * look is written to the shop's access log. Requests whose patient was erased are left out.
 */
export async function readContacts(
  url: string,
  wish: {
    shop: ShopDomain;
    requestIds: readonly string[];
    savedPatients: readonly { id: string; customerId: CustomerId }[];
    masterKeys: string | undefined;
  },
): Promise<Contact[]> {
  const { shop, requestIds, savedPatients, masterKeys } = wish;
  if (!masterKeys) throw new CommandError("Set PATHWAY_MASTER_KEYS: contact details are sealed.");
  const onError = (error: unknown) => process.stderr.write(`${error}\n`);
  const database = openDatabase({ url, poolSize: 2, onError });
  try {
    const keys = readMasterKeys(masterKeys);
    await requireTenant(database.pool);
    const client = await database.pool.connect();
    const store = await bindKeyStore(client, keyFolder()).finally(() => client.release());
    const sealers = createSealers(database.pool, keys, createEpochs(store, keys));
    const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
    const contacts: Contact[] = [];
    for (const requestId of requestIds) {
      const found = await tenancy.inShop(shop, async (tenant) => {
        const details = await tenant.requests.patientOf(requestId);
        if (!details) return null;
        const at = new Date();
        await tenant.accessLog.add({ at, who: "operator", what: "details_viewed", requestId });
        return details.patient;
      });
      if (!found) continue;
      const { email, phone } = found;
      contacts.push({ requestId, name: fullName(found), email, phone });
    }
    for (const { id, customerId } of savedPatients) {
      const found = await tenancy.inShop(shop, async (tenant) => {
        const saved = await tenant.savedPatients.find(customerId, id);
        if (!saved) return null;
        const at = new Date();
        const deed = { at, who: "operator", what: "saved_patient_viewed" } as const;
        await tenant.accessLog.add({ ...deed, subjectId: id });
        return saved.patient;
      });
      if (!found) continue;
      const { email, phone } = found;
      contacts.push({ savedPatientId: id, name: fullName(found), email, phone });
    }
    return contacts;
  } finally {
    await database.close();
  }
}

/** Throws `CommandError` for an owner who may not take the role of a shop's transactions: another one may have made the roles. */
async function requireTenant(pool: Pool): Promise<void> {
  try {
    await pool.query("BEGIN; SET LOCAL ROLE pathway_tenant; ROLLBACK");
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
    const { rows } = await pool.query<{ login: string }>(
      "SELECT quote_ident(session_user) AS login",
    );
    const login = rows[0]?.login;
    throw new CommandError(
      `${login} may not act for a shop: have an administrator of the server run "GRANT pathway_tenant TO ${login}".`,
    );
  }
}
