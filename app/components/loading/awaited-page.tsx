import { Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useAwaitedPage } from "./use-awaited-page.ts";
import { useFetched } from "./use-fetched.ts";

const loadOutline = () => import("./page-outline.tsx");

/**
 * The page, or the outline of the one that is on its way, for every page of the app. The page that is left stays
 * mounted out of sight until then, so that nothing in it is lost when its visitor turns back.
 */
export function AwaitedPage({ children }: { children: ReactNode }) {
  const path = useAwaitedPage();
  // Fetched before anybody waits for a page: then it may be the line that is slow.
  const outline = useFetched(true, loadOutline);
  const isAwaited = path !== null;
  const shape = isAwaited && outline ? outline.pageShape(path) : null;
  return (
    <>
      {/* Beside what is busy, not in it: there it would not be read out. */}
      <div role="status">
        <Text as="span" visuallyHidden>
          {isAwaited && `Loading ${shape?.title ?? "the page"}…`}
        </Text>
      </div>
      <div id="page" aria-busy={isAwaited}>
        {shape && outline && (
          // The words above say it; what is drawn says nothing more.
          <div aria-hidden="true">
            <outline.PageSkeleton shape={shape} />
          </div>
        )}
        <div hidden={shape !== null}>{children}</div>
      </div>
    </>
  );
}
