import type { TitleBar, TitleBarAction } from "../bridge-protocol.ts";
import { find, make } from "./dom.ts";

/** Draws the app's title and actions above its iframe. Without a title bar of its own the app's name stands there. */
export function drawTitleBar(
  bar: TitleBar | null,
  options: { appName: string; onAction: (id: string) => void },
): void {
  find("#app-title").textContent = bar?.title || options.appName;
  const actions = bar?.actions ?? [];
  const button = (action: TitleBarAction) =>
    make(
      "button",
      {
        type: "button",
        class: `button ${action.variant}${action.tone === "critical" ? " critical" : ""}`,
        disabled: action.disabled || action.loading,
        "aria-busy": action.loading ? "true" : false,
        click: () => options.onAction(action.id),
      },
      action.label,
    );

  const breadcrumb = actions.find((action) => action.variant === "breadcrumb");
  find("#app-breadcrumb").replaceChildren(
    ...(breadcrumb ? [button({ ...breadcrumb, label: `← ${breadcrumb.label}` })] : []),
  );
  const rest = actions.filter((action) => action.variant !== "breadcrumb");
  const groups = [...new Set(rest.flatMap((action) => (action.group ? [action.group] : [])))];
  find("#app-actions").replaceChildren(
    ...groups.map((group) =>
      make(
        "details",
        { class: "menu" },
        make("summary", { class: "button" }, group),
        make("div", { class: "menu-items" }, ...rest.filter((a) => a.group === group).map(button)),
      ),
    ),
    ...rest
      .filter((action) => action.group === null)
      .sort((a, b) => Number(a.variant === "primary") - Number(b.variant === "primary"))
      .map(button),
  );
}
