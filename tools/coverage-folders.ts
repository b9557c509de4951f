interface Count {
  covered: number;
  total: number;
}
type Counts = Record<"lines" | "branches", Count>;

/** Adds the files up by folder of app/, and by room of app/modules/; the whole comes last. */
export function sumByFolder(
  files: Record<string, Counts>,
  app: string,
): [folder: string, Counts][] {
  const folders = new Map<string, Counts>();
  for (const [file, counts] of Object.entries(files)) {
    if (!file.startsWith(app)) continue;
    for (const folder of [folderOf(file.slice(app.length)), "app"])
      folders.set(folder, add(folders.get(folder), counts));
  }
  const order = (folder: string) => (folder === "app" ? "~" : folder);
  return [...folders].sort(([a], [b]) => (order(a) < order(b) ? -1 : 1));
}

function folderOf(path: string): string {
  const [first = "", second = "", third] = path.split("/");
  if (second === "") return "app/*";
  return first === "modules" && third !== undefined ? `app/modules/${second}` : `app/${first}`;
}

function add(sum: Counts | undefined, { lines, branches }: Counts): Counts {
  const plus = (one: Count | undefined, other: Count) => ({
    covered: (one?.covered ?? 0) + other.covered,
    total: (one?.total ?? 0) + other.total,
  });
  return { lines: plus(sum?.lines, lines), branches: plus(sum?.branches, branches) };
}
