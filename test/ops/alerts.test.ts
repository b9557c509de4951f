import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { counters, durations } from "../../app/platform/counters.ts";

const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string().optional(),
          expr: z.string(),
          annotations: z.object({ runbook_url: z.string() }).optional(),
        }),
      ),
    }),
  ),
});
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const all = rules.parse(parse(read("ops/prometheus/rules.yaml"))).groups.flatMap((g) => g.rules);
const alerts = all.filter(({ alert }) => alert);

test("links each alert to a runbook that is there", () => {
  expect(alerts.length).toBeGreaterThanOrEqual(9);
  for (const { alert, annotations } of alerts) {
    const file = annotations?.runbook_url ?? "";
    expect(existsSync(new URL(`../../${file}`, import.meta.url)), `${alert}: ${file}`).toBe(true);
  }
});

const gauges = (read("app/metrics.ts").match(/"pathway_\w+"/g) ?? []).map((name) =>
  name.slice(1, -1),
);

test("explains each metric to whoever operates the processes", () => {
  const explained = read("docs/operations.md");
  const names = [...counters(), ...durations()].map(({ name }) => name);
  expect([...names, ...gauges].filter((name) => !explained.includes(name))).toEqual([]);
});

test("asks for no metric that no process tells", () => {
  const told = new Set([
    ...counters().map(({ name }) => name),
    ...durations().map(({ name }) => `${name}_bucket`),
    ...gauges,
  ]);
  const dashboard = read("ops/grafana/dashboards/pathway.json");
  const asked = [...all.map(({ expr }) => expr), dashboard].join("\n").match(/\bpathway_\w+/g);
  expect([...new Set(asked)].filter((name) => !told.has(name))).toEqual([]);
});

const promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].find((file) => existsSync(file));
const without = "promtool is not here (Debian's package prometheus has it)";

test("fires for what threatens a goal, and for nothing else (promtool)", ({ skip }) => {
  if (!promtool) return skip(without);
  const cwd = new URL("../../ops/prometheus/", import.meta.url);
  for (const args of [
    ["check", "rules", "rules.yaml"],
    ["test", "rules", "rules.test.yaml"],
  ])
    expect(execFileSync(promtool, args, { cwd, encoding: "utf8" })).toContain("SUCCESS");
});
