import type { FrameLocator } from "playwright-core";
import type { TestWorld } from "../harness/index.ts";
import { hydrated, type PageAuditor } from "./page-auditor.ts";

/** Address of a page of the shop's admin; `path` starts with a slash. */
export function adminAddress({ line }: TestWorld, path: string): string {
  const { admin_url, shop } = line.store;
  return `${admin_url}/store/${shop.replace(".myshopify.com", "")}${path}`;
}

/**
 * Opens a page of the app inside the admin, waits for its heading and until its buttons answer a press, and answers its
 * frame.
 */
export async function openApp(
  world: TestWorld,
  { page }: PageAuditor,
  { path, heading }: { path: string; heading: string },
): Promise<FrameLocator> {
  await page.goto(adminAddress(world, `/apps/pathway${path}`));
  const frame = page.frameLocator("#app-frame");
  await frame.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await page.locator("#progress").waitFor({ state: "hidden" });
  await hydrated(page);
  return frame;
}
