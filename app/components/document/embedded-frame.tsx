import { useNavigation } from "@remix-run/react";
import en from "@shopify/polaris/locales/en.json";
import { AppProvider } from "@shopify/shopify-app-remix/react";
import { type ReactNode, useEffect } from "react";
import { FailureBanner, tellFailure } from "../feedback/failure-banner.tsx";
import { UnreadBanner } from "../feedback/unread-banner.tsx";
import { AwaitedPage } from "../loading/awaited-page.tsx";
import { appBridge } from "./app-bridge.ts";
import { noteBegun } from "./load-again.ts";
import { useMay } from "./use-may.ts";

const PART_MISSING =
  "Part of this page couldn’t be loaded. Pathway may have been updated since you opened it. Reload the page.";

/** Surrounds every embedded page: Polaris, the app's part of the admin's navigation, and the loading bar. */
export function EmbeddedFrame({ children }: { children: ReactNode }) {
  const may = useMay();
  const isLoading = useNavigation().state !== "idle";
  useEffect(() => {
    appBridge()?.loading(isLoading);
  }, [isLoading]);
  useEffect(() => {
    const keep = async () => (await import("./keep-focus.ts")).keepFocus();
    document.addEventListener("focusin", keep, { once: true });
  }, []);
  useEffect(() => {
    noteBegun();
    // A part that is fetched later is gone when another version has taken over meanwhile.
    const tell = () => tellFailure(PART_MISSING);
    window.addEventListener("vite:preloadError", tell);
    return () => window.removeEventListener("vite:preloadError", tell);
  }, []);
  return (
    // App Bridge's script is in the document's head (app/root.tsx), where Shopify wants it.
    <AppProvider isEmbeddedApp={false} apiKey="" i18n={en}>
      <s-app-nav>
        <a href="/app" rel="home">
          Home
        </a>
        <a href="/app/attention">Needs attention</a>
        {may("see_results") && <a href="/app/reviews">Results to review</a>}
        <a href="/app/referrals">Orders and referrals</a>
        <a href="/app/mappings">Product mapping</a>
        <a href="/app/simulation">Simulation</a>
        <a href="/app/settings">Settings</a>
      </s-app-nav>
      <FailureBanner />
      <UnreadBanner />
      <AwaitedPage>{children}</AwaitedPage>
    </AppProvider>
  );
}
