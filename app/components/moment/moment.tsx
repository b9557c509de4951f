import { useRouteLoaderData } from "@remix-run/react";
import { TIME_ZONE } from "../../platform/calendar-day.ts";
import { exactTime, timeAgo } from "./format-time.ts";

/**
 * A point in time in the shop's time zone, which is the store's own reports' and everybody's who works there. With `now`
 * it is told as "5 minutes ago", the exact time on hover.
 */
export function Moment({ at, now }: { at: string; now?: string }) {
  const embedded = useRouteLoaderData<{ timeZone: string }>("routes/app");
  const timeZone = embedded?.timeZone ?? TIME_ZONE;
  const exact = exactTime(at, timeZone);
  return (
    <time dateTime={at} title={now ? exact : undefined} suppressHydrationWarning>
      {now ? timeAgo(at, now, timeZone) : exact}
    </time>
  );
}
