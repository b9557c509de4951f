import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { JOB_NAMES } from "../../app/jobs/definitions.ts";
import { counters, durations } from "../../app/platform/counters.ts";
import { REFUSAL_PLACES } from "../../app/queue/refusal-log.ts";

const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string().optional(),
          expr: z.string(),
          for: z.string().optional(),
          annotations: z.object({ runbook_url: z.string() }).optional(),
        }),
      ),
    }),
  ),
});
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const all = rules.parse(parse(read("ops/prometheus/rules.yaml"))).groups.flatMap((g) => g.rules);
const alerts = all.filter(({ alert }) => alert);

/** The operator's own prefix, with which the link is whole wherever the alert is read. */
const PREFIX = "{{ $externalLabels.runbooks }}";

test("links each alert to a runbook that is there", () => {
  expect(alerts.length).toBeGreaterThanOrEqual(9);
  for (const { alert, annotations } of alerts) {
    const file = annotations?.runbook_url.replace(PREFIX, "") ?? "";
    expect(annotations?.runbook_url.startsWith(PREFIX), alert).toBe(true);
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

test("draws each series of a panel by itself: of two without labels, `or` shows the first alone", () => {
  const dashboard = z.object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })),
  });
  const { panels } = dashboard.parse(JSON.parse(read("ops/grafana/dashboards/pathway.json")));
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(drawn.filter((expr) => / or /.test(expr))).toEqual([]);
  expect(drawn.join()).toContain("pathway_inbox_age_seconds");
});

const runbooks = readdirSync(new URL("../../docs/runbooks/", import.meta.url)).map((name) => ({
  name,
  text: read(`docs/runbooks/${name}`),
}));
/** Names in runbooks that match a pattern and are not among `known`. */
const unknownIn = (pattern: RegExp, known: (word: string) => boolean) =>
  runbooks.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].flatMap(([, word = ""]) =>
      known(word) ? [] : [`${name}: ${word}`],
    ),
  );

test("names in its runbooks metrics, settings, commands and pages that are there today", () => {
  const told = new Set([...[...counters(), ...durations()].map(({ name }) => name), ...gauges]);
  expect(unknownIn(/\b(pathway_[a-z_]+)\b/g, (name) => told.has(name))).toEqual([]);
  const settings = read("docs/settings.md");
  const setting = /\b((?:PATHWAY|REFERRAL|SHOPIFY|DATABASE|SMTP)_[A-Z_]+)\b/g;
  expect(unknownIn(setting, (name) => settings.includes(`\`${name}\``))).toEqual([]);
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read("package.json")));
  expect(unknownIn(/npm run ([a-z-]+)/g, (name) => name in scripts)).toEqual([]);
  const isThere = (file: string) =>
    existsSync(new URL(`../../docs/runbooks/${file}`, import.meta.url));
  expect(unknownIn(/\]\(([^)#]+)\)/g, isThere)).toEqual([]);
  const kinds: readonly string[] = JOB_NAMES;
  expect(unknownIn(/kind="([a-z-]+)"/g, (kind) => kinds.includes(kind))).toEqual([]);
  const services = parse(read("compose.yaml"), { merge: true }).services as object;
  const compose = /docker compose (?:ps|logs|run --rm|up -d --scale) ([a-z]+)/g;
  expect(unknownIn(compose, (service) => service in services)).toEqual([]);
});

test("names whoever is to be asked: at night, nobody knows who “us” is", () => {
  expect(unknownIn(/\b(?:tell|ask|call) (us)\b/g, () => false)).toEqual([]);
  expect(read("docs/operations.md")).not.toMatch(/\b(?:tell|ask|call) us\b/);
});

test("tells somebody of each alert: one that fires in Prometheus alone is seen by nobody", () => {
  const { alerting } = z
    .object({
      alerting: z.object({
        alertmanagers: z.array(
          z.object({ static_configs: z.array(z.object({ targets: z.array(z.string()) })) }),
        ),
      }),
    })
    .parse(parse(read("ops/prometheus/prometheus.yaml")));
  const hosts = alerting.alertmanagers
    .flatMap(({ static_configs: configs }) => configs.flatMap(({ targets }) => targets))
    .map((target) => target.split(":")[0]);
  const { services } = parse(read("compose.yaml"), { merge: true });
  expect(hosts.length).toBeGreaterThan(0);
  for (const host of hosts) expect(Object.keys(services)).toContain(host);
  const { route, receivers } = z
    .object({
      route: z.object({
        receiver: z.string(),
        routes: z.array(z.object({ matchers: z.array(z.string()), receiver: z.string() })),
      }),
      receivers: z.array(z.object({ name: z.string() })),
    })
    .parse(parse(read("ops/prometheus/alertmanager.yaml")));
  const names = receivers.map(({ name }) => name);
  for (const { receiver } of [route, ...route.routes]) expect(names).toContain(receiver);
  // An alert that wakes nobody, or always fires, has a way of its own.
  const matchers = route.routes.flatMap((one) => one.matchers);
  expect(matchers).toEqual(expect.arrayContaining(['severity="page"', 'severity="none"']));
});

test("says in each mail what is wrong and links to its runbook: Alertmanager's own words link to a container alone", () => {
  const mail = z.object({ to: z.string(), html: z.string() });
  const receiver = z.object({ email_configs: z.array(mail).default([]) });
  const { receivers } = z
    .object({ receivers: z.array(receiver) })
    .parse(parse(read("ops/prometheus/alertmanager.yaml")));
  const mails = receivers.flatMap(({ email_configs: configs }) => configs);
  expect(mails).toHaveLength(2);
  for (const { html } of mails) {
    expect(html).toContain(".Annotations.summary");
    expect(html).toContain('<a href="{{ .Annotations.runbook_url }}">');
  }
});

test("has one alert that always fires, which somebody outside misses once nothing does", () => {
  const always = alerts.filter(({ expr }) => expr === "vector(1)");
  expect(always.map(({ alert }) => alert)).toEqual(["PathwayAlertsAreWatched"]);
});

test("says of each kind of job that may fail where its cause is looked for", () => {
  const runbook = read("docs/runbooks/jobs-failing.md");
  expect(JOB_NAMES.filter((kind) => !runbook.includes(`\`${kind}\``))).toEqual([]);
});

test("says in the runbook of slow calls and of refused orders what each outcome of a call means", () => {
  const outcomes = ["connection", "timeout", "server", "contract_mismatch", "unauthorized"];
  const runbook = read("docs/runbooks/service-away.md");
  const all = [...outcomes, "rate_limited", "not_found", "unexpected"];
  expect(all.filter((outcome) => !runbook.includes(`\`${outcome}\``))).toEqual([]);
});

test.each(["processes-missing", "jobs-failing"])(
  "says in the runbook %s what the code means of a process that may open nothing more",
  (name) => expect(read(`docs/runbooks/${name}.md`)).toContain("`EMFILE`"),
);

test("lists each alert with its runbook and how soon it comes where an operator looks first", () => {
  const rows = read("docs/runbooks/README.md").split("\n");
  for (const { alert = "", for: after = "at once", annotations } of alerts) {
    const file = annotations?.runbook_url.split("/").at(-1);
    const row = rows.find((one) => one.startsWith(`| \`${alert}\` |`));
    expect(row, alert).toContain(`(${file})`);
    expect(row, alert).toContain(`| ${after} |`);
  }
});

/** Measured from what others did: the time before a message came counts, and no step about mails or PDFs finds it. */
test.each(["details-mail-slow", "documents-slow"])(
  "says in the runbook %s how to see that nobody told Pathway in time",
  (name) => {
    expect(read(`docs/runbooks/${name}.md`)).toContain("pathway_webhooks_total{source=");
  },
);

test("names the places of refusals as the metric does", () => {
  const places: readonly string[] = REFUSAL_PLACES;
  const [, said = ""] =
    /`place` says where\.([^:]*):/.exec(read("docs/runbooks/many-refusals.md")) ?? [];
  const named = [...said.matchAll(/`(\w+)`/g)].map(([, place = ""]) => place);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((place) => !places.includes(place))).toEqual([]);
});

test("asks for whose data was seen as the command wants it: of one shop, since when", () => {
  const asked = runbooks.flatMap(
    ({ text }) => text.match(/\baffected(?:\.ts)?(?: --)? --since [^`]*/g) ?? [],
  );
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((command) => !command.includes(" --shop "))).toEqual([]);
});

test("says how each of the owner's commands is run where there is no npm", () => {
  // The image of the processes has none (Dockerfile).
  for (const { name, text } of runbooks)
    for (const [, command = ""] of text.matchAll(
      /npm run (migrate|documents|affected|audit|keys)\b/g,
    ))
      expect(text, `${name}: npm run ${command}`).toMatch(
        command === "migrate"
          ? /docker compose run --rm migrate/
          : /docker compose run --rm operator/,
      );
});

const promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].find((file) => existsSync(file));
const without = "promtool is not here (Debian's package prometheus has it)";

test("fires for what threatens a goal, and for nothing else (promtool)", ({ skip }) => {
  if (!promtool) return skip(without);
  const cwd = new URL("../../ops/prometheus/", import.meta.url);
  for (const args of [
    ["check", "rules", "rules.yaml"],
    ["check", "config", "prometheus.yaml"],
    ["test", "rules", "rules.test.yaml"],
  ])
    expect(execFileSync(promtool, args, { cwd, encoding: "utf8" })).toContain("SUCCESS");
  // Prometheus needs a processor for seventeen seconds, and shares it with whatever else runs here.
}, 300_000);
