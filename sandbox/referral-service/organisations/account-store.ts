import { integer, integerOrNull, text, textOrNull } from "../storage/column.ts";
import type { Database, Row } from "../storage/database.ts";
import { hashPassword, hashSecret, passwordMatches, randomSecret } from "../storage/secrets.ts";

/** A person's account in the web application (interface §1.8). */
export interface Account {
  id: number;
  email: string;
  firstName: string | null;
  lastName: string | null;
  practitionerType: string | null;
  verified: boolean;
  organisationId: number | null;
}

export interface Profile {
  firstName: string;
  lastName: string;
  practitionerType: string;
}

export interface AccountStore {
  /** Null when the email address is taken. */
  create(email: string, password: string): Account | null;
  findByEmail(email: string): Account | null;
  findByToken(token: string): Account | null;
  exists(id: number): boolean;
  passwordIsRight(account: Account, password: string): boolean;
  issueToken(account: Account): string;
  setProfile(account: Account, profile: Profile): void;
  setVerified(account: Account): void;
  setOrganisation(account: Account, organisationId: number): void;
  remove(account: Account): void;
}

function fromRow(row: Row): Account {
  return {
    id: integer(row, "id"),
    email: text(row, "email"),
    firstName: textOrNull(row, "first_name"),
    lastName: textOrNull(row, "last_name"),
    practitionerType: textOrNull(row, "practitioner_type"),
    verified: integer(row, "verified") === 1,
    organisationId: integerOrNull(row, "organisation_id"),
  };
}

/** Accounts on the given database. */
export function createAccountStore(database: Database): AccountStore {
  const one = (row: Row | undefined): Account | null => (row ? fromRow(row) : null);
  const findByEmail = (email: string) =>
    one(database.get("SELECT * FROM accounts WHERE email = ?", email));
  return {
    findByEmail,
    create(email, password) {
      const inserted = database.run(
        "INSERT INTO accounts (email, password_hash) VALUES (?, ?) ON CONFLICT DO NOTHING",
        email,
        hashPassword(password),
      );
      return inserted === 1 ? findByEmail(email) : null;
    },
    findByToken: (token) =>
      one(
        database.get(
          "SELECT a.* FROM accounts a JOIN account_tokens t ON t.account_id = a.id WHERE t.token_hash = ?",
          hashSecret(token),
        ),
      ),
    exists: (id) => database.get("SELECT 1 AS found FROM accounts WHERE id = ?", id) !== undefined,
    passwordIsRight(account, password) {
      const row = database.get("SELECT password_hash FROM accounts WHERE id = ?", account.id);
      return row !== undefined && passwordMatches(password, text(row, "password_hash"));
    },
    issueToken(account) {
      const token = randomSecret("acct");
      database.run(
        "INSERT INTO account_tokens (token_hash, account_id) VALUES (?, ?)",
        hashSecret(token),
        account.id,
      );
      return token;
    },
    setProfile(account, profile) {
      database.run(
        "UPDATE accounts SET first_name = ?, last_name = ?, practitioner_type = ? WHERE id = ?",
        profile.firstName,
        profile.lastName,
        profile.practitionerType,
        account.id,
      );
    },
    setVerified(account) {
      database.run("UPDATE accounts SET verified = 1 WHERE id = ?", account.id);
    },
    setOrganisation(account, organisationId) {
      database.run(
        "UPDATE accounts SET organisation_id = ? WHERE id = ?",
        organisationId,
        account.id,
      );
    },
    remove(account) {
      database.run("DELETE FROM accounts WHERE id = ?", account.id);
    },
  };
}
