import { Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { pageShape } from "./page-shape.ts";
import { PageSkeleton } from "./page-skeleton.tsx";
import { useAwaitedPage } from "./use-awaited-page.ts";

/**
 * The page, or the outline of the one that is on its way, for every page of the app. The page that is left stays
 * mounted out of sight until then, so that nothing in it is lost when its visitor turns back.
 */
export function AwaitedPage({ children }: { children: ReactNode }) {
  const path = useAwaitedPage();
  const shape = path === null ? null : pageShape(path);
  return (
    <>
      {/* Beside what is busy, not in it: there it would not be read out. */}
      <div role="status">
        <Text as="span" visuallyHidden>
          {shape && `Loading ${shape.title ?? "the page"}…`}
        </Text>
      </div>
      <div id="page" aria-busy={shape !== null}>
        {shape && (
          // The words above say it; what is drawn says nothing more.
          <div aria-hidden="true">
            <PageSkeleton shape={shape} />
          </div>
        )}
        <div hidden={shape !== null}>{children}</div>
      </div>
    </>
  );
}
