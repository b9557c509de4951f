import { useLocation } from "@remix-run/react";
import { Banner, Box } from "@shopify/polaris";
import { useEffect } from "react";
import { forgetLooks, useIsUnread } from "../loading/looks.ts";

/** Says above a page that looks again by itself that its last looks stayed without an answer, until one is answered. */
export function UnreadBanner() {
  const isUnread = useIsUnread();
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname) forgetLooks();
  }, [pathname]);
  return (
    <div role="status">
      {isUnread && (
        <Box padding="400">
          <Banner tone="warning" title="Pathway isn’t answering just now">
            <p>
              You see this page as it was last read. Work goes on without it. The page tries again
              by itself.
            </p>
          </Banner>
        </Box>
      )}
    </div>
  );
}
