/** Rows of numbers as text in columns. */
export function table(rows: Record<string, number | string>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? "")))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  "))
    .join("\n");
}
