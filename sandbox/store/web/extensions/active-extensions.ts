import type { ExtensionInfo } from "../client/bridge-protocol.ts";
import type { Extensions } from "./discover.ts";

/** The extensions as App Bridge tells of them. Every block is placed: the sandbox's pages show all of them. */
export function activeExtensions({ ui, theme }: Extensions): ExtensionInfo[] {
  const byHandle = Map.groupBy(ui, ({ handle }) => handle);
  return [
    ...[...byHandle].map(([handle, targets]) => ({
      handle,
      type: "ui_extension" as const,
      activations: targets.map(({ target }) => ({ target })),
    })),
    ...theme.map(({ handle }) => ({
      handle,
      type: "theme_app_extension" as const,
      activations: [
        {
          handle: "test_details",
          name: "Test details",
          target: "section",
          status: "active" as const,
          activations: [
            { target: "template--product", themeId: "gid://shopify/OnlineStoreTheme/1" },
          ],
        },
      ],
    })),
  ];
}
