import { Link } from "@remix-run/react";

interface Tab {
  label: string;
  url: string;
  isCurrent: boolean;
  /** How many are behind it, where that is counted. */
  count?: string;
}

/**
 * Views of a list as links. Polaris's tabs measure themselves after loading and move the page; these stay
 * where they are, and take several lines on a phone.
 */
export function FilterTabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav className="pathway-tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.url}
          to={tab.url}
          aria-current={tab.isCurrent ? "page" : undefined}
          preventScrollReset
        >
          {tab.label}
          {tab.count !== undefined && <span className="pathway-tab-count">{` ${tab.count}`}</span>}
        </Link>
      ))}
    </nav>
  );
}
