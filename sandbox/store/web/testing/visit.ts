import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type MemoryStore } from "./memory-store.ts";
import { type RunningWeb, startWeb } from "./start-web.ts";

export const BUYER = {
  email: "ann@example.com",
  firstName: "Ann",
  lastName: "Example",
  address1: "1 High St",
  city: "Sydney",
  provinceCode: "NSW",
  zip: "2000",
  phone: "0400 000 000",
  cardNumber: "4242 4242 4242 4242",
  cardExpiry: "12/30",
  cardCode: "123",
  cardName: "Ann Example",
};

/** Name and value of the cookies that an answer sets, as a request sends them back. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
}

/** The pages over a store in memory, with a visitor who follows no redirects. */
export interface Visit {
  store: MemoryStore;
  web: RunningWeb;
  /** Where the visit's extensions may be written. */
  extensionsDir: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  send(
    path: string,
    form: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Puts two units of Iron Studies into a cart and checks out. */
  buy(form?: Record<string, string>): Promise<Response>;
  /** Signs in by a code and answers the cookie. */
  signIn(email?: string): Promise<string>;
  end(): Promise<void>;
}

export async function startVisit(): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), "store-web-"));
  const extensionsDir = join(folder, "extensions");
  const store = createMemoryStore();
  const web = await startWeb(store, { extensionsDir, cacheDir: join(folder, "cache") });
  const get: Visit["get"] = (path, headers = {}) =>
    fetch(web.origin + path, { redirect: "manual", headers });
  const send: Visit["send"] = (path, form, headers = {}) =>
    fetch(web.origin + path, {
      method: "POST",
      redirect: "manual",
      headers,
      body: new URLSearchParams(form),
    });
  return {
    store,
    web,
    extensionsDir,
    get,
    send,
    async buy(form = BUYER) {
      const cart = cookieOf(await send("/cart/add", { id: "10", quantity: "2" }));
      return send("/checkout", form, { Cookie: cart });
    },
    async signIn(email = "ann@example.com") {
      await send("/account/login", { email });
      return cookieOf(await send("/account/login/code", { email, code: "123456" }));
    },
    async end() {
      await web.stop();
      await rm(folder, { recursive: true });
    },
  };
}
