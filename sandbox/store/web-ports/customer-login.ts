import { randomBytes, randomInt } from "node:crypto";
import { createCustomer, findCustomerByEmail } from "../customers/create-customer.ts";
import { keepMail } from "../mail/mailbox.ts";
import type { Platform } from "../platform.ts";
import { globalId } from "../state/global-id.ts";
import type { ShopDocument } from "../state/shop.ts";

const codeLifetimeMs = 15 * 60_000;
const maxGuesses = 5;

interface PendingCode {
  code: string;
  expiresAtMs: number;
  guesses: number;
}

/** Codes live only as long as the process: whoever restarts the store asks for another one. */
const pending = new WeakMap<Platform, Map<string, PendingCode>>();

function codesOf(platform: Platform): Map<string, PendingCode> {
  const codes = pending.get(platform) ?? new Map<string, PendingCode>();
  pending.set(platform, codes);
  return codes;
}

/** Mails a six-digit code, whether or not the address belongs to a customer. */
export function sendCode(platform: Platform, shop: ShopDocument, email: string): void {
  const to = email.trim().toLowerCase();
  const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
  codesOf(platform).set(to, {
    code,
    expiresAtMs: platform.clock.nowMs() + codeLifetimeMs,
    guesses: 0,
  });
  keepMail(platform.data, platform.clock, {
    from: shop.email,
    to,
    subject: `${code} is your code for ${shop.name}`,
    text: `Your login code is ${code}.\n\nIt works for 15 minutes. If you did not ask for it, ignore this mail.\n`,
    html: null,
  });
}

/** The customer's global id when the code is right and fresh; a new address becomes a customer. Null otherwise. */
export function redeemCode(
  platform: Platform,
  shop: ShopDocument,
  email: string,
  code: string,
): string | null {
  const address = email.trim().toLowerCase();
  const codes = codesOf(platform);
  const sent = codes.get(address);
  if (!sent || sent.expiresAtMs <= platform.clock.nowMs() || sent.guesses >= maxGuesses)
    return null;
  if (sent.code !== code.trim()) {
    sent.guesses += 1;
    return null;
  }
  codes.delete(address);
  const customer =
    findCustomerByEmail(platform, shop, address) ??
    createCustomer(platform, shop, {
      email: address,
      firstName: null,
      lastName: null,
      phone: null,
      addresses: [],
    });
  // A customer who signs in has an account from then on (Customer.state); one who only bought has none.
  platform.data.customers.put({ ...customer, state: "ENABLED" });
  return globalId("Customer", customer.id);
}

export function startSession(platform: Platform, customerId: number): string {
  const id = randomBytes(24).toString("base64url");
  platform.data.customerSessions.put({ id, customerId, createdAtMs: platform.clock.nowMs() });
  return id;
}

export function sessionCustomer(platform: Platform, token: string): string | null {
  const session = platform.data.customerSessions.get(token);
  const customer = session && platform.data.customers.get(session.customerId);
  return customer ? globalId("Customer", customer.id) : null;
}

export const endSession = (platform: Platform, token: string): void =>
  platform.data.customerSessions.delete(token);
