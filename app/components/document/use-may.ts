import { useRouteLoaderData } from "@remix-run/react";
import type { StaffRight } from "../../modules/shops/staff-role.ts";

/** Tells what whoever looks may do, as their role was when the page was opened: a page offers nothing else. */
export function useMay(): (right: StaffRight) => boolean {
  const embedded = useRouteLoaderData<{ rights: StaffRight[] }>("routes/app");
  return (right) => embedded?.rights.includes(right) ?? false;
}
