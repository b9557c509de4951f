import { z } from "zod";

const routesSchema = z.record(
  z.string(),
  z.object({ id: z.string(), parentId: z.string().optional(), path: z.string().optional() }),
);

/** Every address that the app answers, as the build itself lists them. Blanks are `:name` and `*`. */
export async function appRoutes(): Promise<string[]> {
  const built = new URL("../../build/server/index.js", import.meta.url);
  const all = routesSchema.parse((await import(built.href)).routes);
  const pathOf = (id: string): string => {
    const route = all[id];
    if (!route || id === "root") return "";
    return [pathOf(route.parentId ?? "root"), route.path ?? ""].filter(Boolean).join("/");
  };
  return Object.keys(all).map((id) => `/${pathOf(id)}`);
}
