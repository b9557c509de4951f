import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import Ajv from "ajv";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { SETTINGS } from "../../app/platform/env.ts";
import { clientAddress, readTrustedProxies } from "../../app/web/rate-limiting/client-address.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
/** The Compose specification's own schema (github.com/compose-spec/compose-spec, Apache 2.0). */
const schema = JSON.parse(read("test/ops/compose-spec.json"));
const compose = parse(read("compose.yaml"), { merge: true });

test("is a Compose file by the specification's schema", () => {
  const { $schema: _, ...rules } = schema;
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid = ajv.validate(rules, compose);
  expect(isValid, ajv.errorsText()).toBe(true);
});

const services = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).optional(),
      secrets: z.array(z.string()).optional(),
      image: z.string().optional(),
      build: z.looseObject({ args: z.record(z.string(), z.string()).optional() }).optional(),
      profiles: z.array(z.string()).optional(),
      command: z.union([z.string(), z.array(z.string())]).optional(),
      volumes: z.array(z.string()).optional(),
      depends_on: z
        .union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))])
        .optional(),
    }),
  ),
  secrets: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

test("has every part, sets only settings that exist, and names no secret in a variable", () => {
  const { services: parts, secrets } = services.parse(compose);
  const wanted = ["proxy", "web", "worker", "migrate", "database", "backup"];
  expect(Object.keys(parts)).toEqual(expect.arrayContaining(wanted));
  for (const role of ["web", "worker"]) {
    const names = Object.keys(parts[role]?.environment ?? {});
    const known: readonly string[] = SETTINGS;
    expect(names.filter((name) => !known.includes(name.replace(/_FILE$/, "")))).toEqual([]);
    expect(names).toContain("PATHWAY_MASTER_KEYS_FILE");
    expect(names).not.toContain("PATHWAY_MASTER_KEYS");
  }
  for (const { secrets: used = [] } of Object.values(parts))
    for (const one of used) expect(Object.keys(secrets)).toContain(one);
});

test("names this version in every image, by its tag and by its label", () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
  const texts = [
    "compose.yaml",
    ...readdirSync(new URL("../../ops/kubernetes", import.meta.url)).map(
      (file) => `ops/kubernetes/${file}`,
    ),
  ].map(read);
  const tags = texts.flatMap((text) => text.match(/(?<=pathway(?:-migrate)?:)\d[\w.-]*/g) ?? []);
  expect(new Set(tags)).toEqual(new Set([version]));
  const built = Object.values(services.parse(compose).services).flatMap(({ build }) =>
    build ? [build] : [],
  );
  expect(built.length).toBeGreaterThanOrEqual(3);
  for (const { args } of built) expect(args).toEqual({ VERSION: version });
  const stages = read("Dockerfile")
    .split(/^FROM /m)
    .filter((stage) => /AS (runtime|migrate)/.test(stage));
  expect(stages).toHaveLength(2);
  for (const stage of stages) expect(stage).toMatch(/image\.version="\$\{VERSION\}"/);
});

test("starts the proxy however long a process takes to be ready", () => {
  const { services: parts } = services.parse(compose);
  const waited = Object.values(parts).flatMap(({ depends_on = [] }) =>
    Array.isArray(depends_on)
      ? []
      : Object.entries(depends_on).filter(([, { condition }]) => condition === "service_healthy"),
  );
  expect(new Set(waited.map(([name]) => name))).toEqual(new Set(["database"]));
  // A busy machine takes seconds to start the program that asks.
  const [, timeout, start] =
    /HEALTHCHECK .*--timeout=(\d+)s --start-period=(\d+)s/.exec(read("Dockerfile")) ?? [];
  expect(Number(timeout)).toBeGreaterThanOrEqual(10);
  expect(Number(start)).toBeGreaterThanOrEqual(60);
});

test("lets no container's log fill the disk that the database is on", () => {
  for (const [name, part] of Object.entries(services.parse(compose).services))
    expect(part, name).toMatchObject({
      logging: { driver: "json-file", options: { "max-size": "20m", "max-file": "10" } },
    });
});

test("gives each setting of the documents' stores to whatever reads or claims them", () => {
  const { services: parts } = services.parse(compose);
  const wanted = SETTINGS.filter((name) => /^PATHWAY_(DOCUMENTS|S3)_?/.test(name))
    .filter((name) => name !== "PATHWAY_DOCUMENT_OVERDUE_MS")
    .map((name) => (name === "PATHWAY_S3_SECRET_ACCESS_KEY" ? `${name}_FILE` : name));
  expect(wanted).toContain("PATHWAY_S3_ENDPOINT");
  for (const part of ["web", "worker", "operator"]) {
    expect(Object.keys(parts[part]?.environment ?? {})).toEqual(expect.arrayContaining(wanted));
    expect(parts[part]?.secrets).toContain("s3_secret_access_key");
  }
});

test("runs whatever is built here with a read-only file system and without any right that it does not need", () => {
  const own = Object.entries(services.parse(compose).services).filter(([, { build }]) => build);
  expect(own.map(([name]) => name)).toEqual(["web", "worker", "migrate", "operator"]);
  for (const [name, part] of own)
    expect(part, name).toMatchObject({
      ...{ read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"] },
      security_opt: ["no-new-privileges:true"],
    });
});

test("can be tried where no registry is reached: something stands in for each base that the trial takes", () => {
  const bases = [read("compose.yaml"), read("Dockerfile")].flatMap(
    (text) => text.match(/(?<=docker\.io\/library\/)\w+:\d+/g) ?? [],
  );
  expect(new Set(bases)).toEqual(new Set(["caddy:2", "node:24", "postgres:17"]));
  for (const base of bases) expect(read("tools/compose-trial.sh")).toContain(`${base}*)`);
  // The whole trial has the profiles as well, but for what no package of Debian's has.
  const others = Object.values(services.parse(compose).services).flatMap(
    ({ image = "" }) => /^docker\.io\/((?!library\/)[^:]+:)/.exec(image)?.[1] ?? [],
  );
  expect(others).toHaveLength(5);
  for (const name of others.filter((one) => one !== "grafana/grafana:"))
    expect(read("tools/compose-trial.sh")).toContain(name);
  expect(read(".ci/run")).toContain("tools/compose-trial.sh");
});

test("calls the database healthy once others can reach it: while it makes its volume it answers at its socket alone", () => {
  const { database } = services.parse(compose).services;
  expect(database?.healthcheck).toMatchObject({
    test: ["CMD", "pg_isready", "-h", "127.0.0.1", "-U", "pathway"],
    // A slow disk takes minutes for a new volume. Unhealthy, it has nothing else started.
    start_period: "5m",
  });
});

test("believes its own proxy about its visitors: to the limits they would all be one", () => {
  const { networks } = compose;
  const [{ subnet }] = networks.default.ipam.config;
  const { web, proxy } = services.parse(compose).services;
  expect(proxy?.networks).toBeUndefined();
  expect(web?.environment?.PATHWAY_TRUSTED_PROXIES?.startsWith(subnet)).toBe(true);
  const [, range = ""] = /:-(.*)\}$/.exec(subnet) ?? [];
  const trusted = readTrustedProxies([range]);
  const visitor = { "x-forwarded-for": "198.51.100.7" };
  const request = { headers: visitor, socket: { remoteAddress: range.replace("0/24", "9") } };
  expect(clientAddress(request as unknown as IncomingMessage, trusted)).toBe("198.51.100.7");
});

test("gives the commands of the database's owner the keys, the audit and the stores, and no process the owner's login", () => {
  const { operator, web, worker } = services.parse(compose).services;
  expect(operator?.environment).toMatchObject({
    DATABASE_URL_FILE: "/run/secrets/owner_database_url",
    PATHWAY_MASTER_KEYS_FILE: "/run/secrets/master_keys",
    PATHWAY_KEY_DIR: "/keys",
    PATHWAY_AUDIT_DIR: "/keys/audit",
    PATHWAY_DOCUMENTS_DIR: "/documents",
  });
  expect(operator?.profiles).toEqual(["operator"]);
  expect(operator?.volumes).toEqual(["keys:/keys", "documents:/documents"]);
  for (const part of [web, worker]) expect(part?.secrets).not.toContain("owner_database_url");
});

test("hands every setting of .env to the processes", () => {
  const { web, worker } = services.parse(compose).services;
  for (const part of [web, worker]) {
    expect(part?.env_file).toEqual([{ path: ".env", required: false }]);
    // A value that is written here counts more than .env: a setting that somebody may want otherwise has to be taken from there.
    expect(part?.environment?.PATHWAY_DRAIN_MS).toMatch(/^\$\{PATHWAY_DRAIN_MS:-\d+\}$/);
  }
});

test("has an object storage of its own for whoever asks for it, with the bucket and the login of the processes", () => {
  const { services: parts, volumes } = services.parse(compose);
  const { objects, backup, web } = parts;
  expect(objects?.profiles).toEqual(["objects"]);
  expect(objects?.image).toMatch(/:v\d+\.\d+\.\d+$/);
  const [command] = objects?.command ?? [];
  for (const part of ["/objects/$$BUCKET", "/run/secrets/s3_secret_access_key", "--port :7070"])
    expect(command).toContain(part);
  const { BUCKET, ROOT_ACCESS_KEY, VGW_REGION } = objects?.environment ?? {};
  const variableOf = (text = "") => /^\$\{(\w+):-/.exec(text)?.[1] ?? "";
  for (const text of [BUCKET, ROOT_ACCESS_KEY, VGW_REGION])
    expect(Object.keys(web?.environment ?? {})).toContain(variableOf(text));
  expect(objects?.secrets).toEqual(["s3_secret_access_key"]);
  // A folder without a volume is gone with the container, and one without a backup with the disk.
  expect(Object.keys(volumes)).toContain("objects");
  expect(objects?.volumes).toEqual(["objects:/objects"]);
  expect(backup?.volumes).toContain("objects:/objects:ro");
  expect(read("docs/operations.md")).toContain("PATHWAY_S3_ENDPOINT=http://objects:7070");
});

test("keeps a copy of each store of documents beside the database's dump", () => {
  const { backup } = services.parse(compose).services;
  expect(backup?.command).toEqual(["sh", "/backup.sh"]);
  expect(backup?.volumes).toContain("./ops/backup.sh:/backup.sh:ro");
  // What it does is proved by backup.test.ts; here, that it finds the folders where they are mounted.
  const script = read("ops/backup.sh");
  for (const folder of ["/documents", "/objects", "/backups"]) {
    expect(script).toContain(`:-${folder}}`);
    expect(backup?.volumes?.some((volume) => volume.split(":")[1] === folder)).toBe(true);
  }
});

const manifest = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown().optional(),
});
const fenced = z.looseObject({
  securityContext: z.looseObject({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.looseObject({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  // All that it may write to without a volume.
  volumeMounts: z
    .array(z.looseObject({ mountPath: z.string() }))
    .refine((mounts) => mounts.some(({ mountPath }) => mountPath === "/tmp")),
});
const container = fenced.extend({
  readinessProbe: z.looseObject({ httpGet: z.looseObject({ path: z.literal("/readyz") }) }),
  livenessProbe: z.looseObject({ httpGet: z.looseObject({ path: z.literal("/livez") }) }),
});
const asNobody = z.looseObject({ runAsNonRoot: z.literal(true), runAsUser: z.literal(10001) });
const job = z.looseObject({
  template: z.looseObject({
    spec: z.looseObject({ containers: z.tuple([fenced]), securityContext: asNobody }),
  }),
});
const deployment = z.looseObject({
  template: z.looseObject({
    spec: z.looseObject({
      containers: z.tuple([container]),
      securityContext: asNobody,
      terminationGracePeriodSeconds: z.number().min(30),
    }),
  }),
});

test("probes every process of the Kubernetes manifests, and keeps one of each through a disruption", () => {
  const folder = new URL("../../ops/kubernetes/", import.meta.url);
  const documents = readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .flatMap((file) => parseAllDocuments(read(`ops/kubernetes/${file}`)))
    .map((document) => manifest.parse(document.toJS()));
  const of = (kind: string) => documents.filter((one) => one.kind === kind);
  expect(of("Deployment").map(({ metadata }) => metadata.name)).toEqual(["web", "worker"]);
  for (const { spec } of of("Deployment")) deployment.parse(spec);
  expect(of("PodDisruptionBudget").map(({ metadata }) => metadata.name)).toEqual(["web", "worker"]);
  expect(of("Job").map(({ metadata }) => metadata.name)).toEqual(["migrate"]);
  for (const { spec } of of("Job")) job.parse(spec);
});

test("gives the workers of parallel queries more shared memory than Docker's 64 MB", () => {
  const { database } = services.parse(compose).services;
  const [, megabytes] = /^(\d+)m$/.exec(String(database?.shm_size)) ?? [];
  expect(Number(megabytes)).toBeGreaterThanOrEqual(256);
});
