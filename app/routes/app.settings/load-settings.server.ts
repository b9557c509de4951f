import type { LoaderFunctionArgs } from "@remix-run/node";
import { readMaintenance } from "../../modules/reports/read-maintenance.ts";
import { readSettings } from "../../modules/reports/read-settings.ts";
import { readRights } from "../../modules/shops/may-do.ts";
import { presentMaintenance } from "./present-maintenance.ts";
import { missingScopesOf, presentSettings } from "./present-settings.ts";

type Arguments = Pick<LoaderFunctionArgs, "request" | "context">;

/** The settings of the shop whose staff asks, in words. Each page takes what it shows. */
export async function loadSettings({ request, context }: Arguments) {
  const { shop, actor } = await context.merchant(request);
  const { ports } = context.app;
  const [overview, rights] = await Promise.all([
    readSettings(ports, shop),
    readRights(ports, { shop, actor }),
  ]);
  return presentSettings(context.app, overview, await missingScopesOf(ports, overview), rights);
}

/** What Pathway does for the shop beside its orders, in words. */
export async function loadMaintenance({ request, context }: Arguments) {
  const { shop } = await context.merchant(request);
  const { ports } = context.app;
  const now = ports.clock.now();
  return {
    now: now.toISOString(),
    ...presentMaintenance(await readMaintenance(ports, shop), now),
  };
}
