import type { Tenant } from "../../app/ports.ts";
import { only } from "../model/only.ts";

type Parts = { [K in keyof Tenant]?: Tenant[K] extends object ? Partial<Tenant[K]> : Tenant[K] };

/** A shop's transaction that knows these calls and no other. */
export function sampleTenant(parts: Parts): Tenant {
  const modelled = Object.entries(parts).map(([name, part]) => [
    name,
    typeof part === "object" ? only<object>(name, part) : part,
  ]);
  return only<Tenant>("tenant", Object.fromEntries(modelled));
}
