import { useEffect, useState } from "react";
import { TIME_ZONE } from "../../platform/calendar-day.ts";
import { exactTime, timeAgo } from "./format-time.ts";

/**
 * A point in time in the reader's own time zone. The server, which does not know it, writes Sydney's; in the
 * browser it is put right after hydration. With `now` it is told as "5 minutes ago", the exact time on hover.
 */
export function Moment({ at, now }: { at: string; now?: string }) {
  const [zone, setZone] = useState<string | undefined>(TIME_ZONE);
  useEffect(() => setZone(undefined), []);
  const exact = exactTime(at, zone);
  return (
    <time dateTime={at} title={now ? exact : undefined} suppressHydrationWarning>
      {now ? timeAgo(at, now) : exact}
    </time>
  );
}
