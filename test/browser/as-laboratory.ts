import type { BrowserContext } from "playwright-core";
import type { TestWorld } from "../harness/index.ts";
import type { PageAuditor } from "./page-auditor.ts";

export interface ApiKey {
  clientId: string;
  clientSecret: string;
}

/** The service's own web application, used as a merchant uses it who has never been there. */
export function atTheService({ line }: TestWorld, { page }: PageAuditor) {
  const address = line.service.app_url;
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const open = async (path: string, heading: string | RegExp) => {
    await page.goto(address + path);
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  };

  return {
    open,
    /** From nothing to an account with a verified profile, an organisation and a billing method. */
    async signUp(): Promise<void> {
      await open("/sign-up", "Create an account");
      await page.getByLabel("Email address").fill("owner@harbour-pathology.example");
      await page.getByLabel("Password").fill("a long enough password");
      await press("Create account");
      await page.getByRole("heading", { name: "Welcome", level: 1 }).waitFor();
      await open("/profile", "Profile");
      await page.getByLabel("First name").fill("Sam");
      await page.getByLabel("Last name").fill("Staff");
      await press("Save profile");
      await press("Verify profile");
      await page.getByText("Verified", { exact: true }).waitFor();
      await open("/", "Welcome");
      await page.getByLabel("Name of the organisation").fill("Harbour Pathology");
      await press("Create organisation");
      await page.getByRole("heading", { name: "Harbour Pathology", level: 1 }).waitFor();
      await open("/organisation", "Organisation");
      await page.getByLabel("Billing method").selectOption("valid");
      await press("Save");
    },
    /** A key for a store integration; its secret is shown this once. */
    async createKey(): Promise<ApiKey> {
      await open("/api-keys", "API keys");
      await page.getByLabel("Used by").selectOption("store");
      await press("Create key");
      const notice = await page.getByRole("status").innerText();
      return {
        clientId: /client_id: (\S+)/.exec(notice)?.[1] ?? "",
        clientSecret: /client_secret: (\S+)/.exec(notice)?.[1] ?? "",
      };
    },
    /** Registers where events go, and answers the secret that the service made up. */
    async registerWebhook(url: string): Promise<string> {
      await open("/webhook", "Webhook");
      await page.getByLabel("Address").fill(url);
      await press("Save webhook");
      await page.getByRole("status").waitFor();
      return page.getByLabel("Secret", { exact: true }).inputValue();
    },
    /** Opens the newest referral, with its lab bench. */
    async openNewestReferral(): Promise<void> {
      await open("/referrals", "Referrals");
      await page.getByRole("table").getByRole("link").first().click();
      await page.getByRole("heading", { name: "Lab bench" }).waitFor();
    },
    async sendResults(): Promise<void> {
      await page.getByLabel("Abnormal values").selectOption({ label: "At least one" });
      await page.getByLabel("Seed").fill("7");
      await press("Send results");
      await page.getByRole("link", { name: "Result report (PDF)" }).waitFor();
    },
  };
}

/** Tells of every request that a browser makes to another machine, for a journey that must not need any. */
export function watchForStrangers(context: BrowserContext, seen: (url: string) => void): void {
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(http|ws)s?:$/.test(protocol) && hostname !== "127.0.0.1") seen(request.url());
  });
}
