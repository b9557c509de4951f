import { Await } from "@remix-run/react";
import { Suspense, useEffect, useState } from "react";
import { ChartCard } from "./chart-card.tsx";
import { OverdueCard } from "./overdue-card.tsx";
import type { TrendsView } from "./present-home.ts";
import { TrendsFailed, TrendsSkeleton } from "./trends-skeleton.tsx";

interface TrendsCardsProps {
  /** Null when they could not be read. */
  trends: Promise<TrendsView | null>;
  now: string;
}

/**
 * Shows what lies beneath the fold: the chart and the overdue results. The page is sent with their skeleton, and the browser draws
 * them when they are known. A boundary that waits while the page hydrates would fail at any change of the window's
 * size or of the page meanwhile (React's error 421).
 */
export function TrendsCards({ trends, now }: TrendsCardsProps) {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  if (!isHydrated) return <TrendsSkeleton />;
  return (
    <Suspense fallback={<TrendsSkeleton />}>
      <Await resolve={trends}>
        {(known) =>
          known ? (
            <>
              <ChartCard days={known.days} />
              <OverdueCard overdue={known.overdue} now={now} />
            </>
          ) : (
            <TrendsFailed />
          )
        }
      </Await>
    </Suspense>
  );
}
