import { expect, test } from "vitest";
import { readMigrationSettings, readProcessSettings, withPresentSettings } from "./env.ts";

const REQUIRED = {
  SHOPIFY_APP_URL: "https://pathway.example",
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  REFERRAL_SERVICE_STAGING_BASE_URL: "https://service.example/api",
  REFERRAL_SERVICE_STAGING_AUTH_URL: "https://service.example/oauth",
};

test("accepts the former name of a setting, and warns", () => {
  const { variables, warnings } = withPresentSettings({
    ...REQUIRED,
    PATHWAY_TAILER_INTERVAL_MS: "7000",
    PATHWAY_START_PAUSED_UNTIL_TAILED: "true",
    PATHWAY_TENDING_INTERVAL_MS: "",
  });
  expect(readProcessSettings(variables)).toMatchObject({
    PATHWAY_SYNC_INTERVAL_MS: 7000,
    PATHWAY_START_PAUSED_UNTIL_SYNCED: true,
    PATHWAY_MAINTENANCE_INTERVAL_MS: 3_600_000,
  });
  expect(warnings.map((warning) => warning.split(" ")[0])).toEqual([
    "PATHWAY_TAILER_INTERVAL_MS",
    "PATHWAY_START_PAUSED_UNTIL_TAILED",
  ]);
});

test("prefers the present name of a setting where both are set", () => {
  const { variables } = withPresentSettings({
    ...REQUIRED,
    PATHWAY_TAILER_INTERVAL_MS: "7000",
    PATHWAY_SYNC_INTERVAL_MS: "9000",
  });
  expect(readProcessSettings(variables).PATHWAY_SYNC_INTERVAL_MS).toBe(9000);
});

test("takes the address of the tunnel that Shopify's command line passes, and does not listen there", () => {
  const { variables, warnings } = withPresentSettings({
    APP_URL: "https://tunnel.trycloudflare.com",
    HOST: "https://tunnel.trycloudflare.com",
  });
  expect(variables).toMatchObject({ SHOPIFY_APP_URL: "https://tunnel.trycloudflare.com" });
  expect(variables.PATHWAY_HOST).toBeUndefined();
  expect(warnings).toEqual([]);
});

test("prefers its own address, and still listens where HOST says", () => {
  const { variables, warnings } = withPresentSettings({
    SHOPIFY_APP_URL: "https://pathway.test",
    APP_URL: "https://tunnel.trycloudflare.com",
    HOST: "0.0.0.0",
  });
  expect(variables).toMatchObject({
    SHOPIFY_APP_URL: "https://pathway.test",
    PATHWAY_HOST: "0.0.0.0",
  });
  expect(warnings).toEqual([expect.stringContaining("HOST is called PATHWAY_HOST now")]);
});

test("in development the tunnel of the moment counts, whatever address .env still names", () => {
  const { variables } = withPresentSettings({
    SHOPIFY_APP_URL: "https://pathway.example",
    APP_URL: "https://tunnel.trycloudflare.com",
    APP_ENV: "development",
  });
  expect(variables.SHOPIFY_APP_URL).toBe("https://tunnel.trycloudflare.com");
});

test.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "traces:4318"],
  ["PATHWAY_S3_ENDPOINT", "minio:9000"],
  ["SHOPIFY_APP_URL", "pathway.example"],
  ["REFERRAL_SERVICE_STAGING_BASE_URL", "ftp://service.example"],
])("says how to write the address %s that is %s", (name, value) => {
  expect(() => readProcessSettings({ ...REQUIRED, [name]: value })).toThrow(
    `${name}: write the whole address, beginning with https:// (or http://)`,
  );
});

test("refuses a time that a timer cannot hold, which would end at once", () => {
  const days = (n: number) => String(n * 24 * 3_600_000);
  const read = (value: string) =>
    readProcessSettings({ ...REQUIRED, PATHWAY_MAINTENANCE_INTERVAL_MS: value });
  expect(read(days(24)).PATHWAY_MAINTENANCE_INTERVAL_MS).toBe(24 * 24 * 3_600_000);
  expect(() => read(days(25))).toThrow(
    "PATHWAY_MAINTENANCE_INTERVAL_MS: give at most 2147483647 ms (24 days)",
  );
});

test("a migration refuses a time that is none, and needs no setting of the processes", () => {
  expect(readMigrationSettings({})).toEqual({ PATHWAY_MIGRATION_TIMEOUT_MS: 900_000 });
  for (const wrong of ["15m", "0"])
    expect(() => readMigrationSettings({ PATHWAY_MIGRATION_TIMEOUT_MS: wrong })).toThrow(
      "PATHWAY_MIGRATION_TIMEOUT_MS",
    );
});

test.each([
  "postgresql://app:secret@one:5432,two:5432/pathway",
  "postgresql://app:sec#ret@one:5432/pathway",
  "host=one dbname=pathway password=secret",
])("an address of a database that nobody can read is refused by its setting's name: %s", (url) => {
  const told = (read: () => unknown) =>
    expect(read).toThrow(/DATABASE_DIRECT_URL: write postgresql:\/\/.*%23/);
  told(() => readProcessSettings({ ...REQUIRED, DATABASE_DIRECT_URL: url }));
  told(() => readMigrationSettings({ DATABASE_DIRECT_URL: url }));
  expect(() => readProcessSettings({ ...REQUIRED, DATABASE_DIRECT_URL: url })).not.toThrow(/sec/);
});

test.each([
  "postgresql://app:sec%23ret@one:5432/pathway?sslmode=verify-full",
  "postgres://app@one/pathway",
  "postgresql://app:secret@/pathway?host=/run/postgresql",
  "postgresql:///pathway?host=/run/postgresql",
  "postgresql://app:secret@%2Frun%2Fpostgresql/pathway",
])("an address of a database is taken as it is: %s", (url) => {
  expect(readProcessSettings({ ...REQUIRED, DATABASE_URL: url }).DATABASE_URL).toBe(url);
});

test.each([" ", "\t", "\r"])("a setting that holds %j alone is one that is not set", (blank) => {
  const read = readProcessSettings({
    ...REQUIRED,
    PORT: blank,
    PATHWAY_QUARANTINE_MS: blank,
    OTEL_TRACES_SAMPLER_ARG: blank,
  });
  expect(read).toMatchObject({
    PORT: 3000,
    PATHWAY_QUARANTINE_MS: 900_000,
    OTEL_TRACES_SAMPLER_ARG: 1,
  });
});

test("leaves out what an editor or Windows puts around a setting: a secret with it would fit nothing", () => {
  const read = readProcessSettings({
    ...REQUIRED,
    SHOPIFY_API_SECRET: " secret\r",
    PATHWAY_KEY_DIR: "/keys ",
    DATABASE_URL: "postgresql://a:b@c/d\r\n",
  });
  expect(read).toMatchObject({
    SHOPIFY_API_SECRET: "secret",
    PATHWAY_KEY_DIR: "/keys",
    DATABASE_URL: "postgresql://a:b@c/d",
  });
});

test.each([
  ["SHOPIFY_API_SECRET", '"hidden"'],
  ["PATHWAY_MASTER_KEYS", '"k1:hidden"'],
  ["PORT", "'3000'"],
  ["SHOPIFY_APP_URL", '"https://hidden.example"'],
])(
  "refuses %s with the quotation marks that are left around it, without its value",
  (name, value) => {
    const read = () => readProcessSettings({ ...REQUIRED, [name]: value });
    expect(read).toThrow(`${name}: take the quotation marks around it out`);
    expect(read).not.toThrow(/hidden/);
  },
);

test.each([
  ["SHOPIFY_API_SECRET", "hidden\nold"],
  ["PATHWAY_MASTER_KEYS", "k1:hidden\r\nk2:hidden"],
  ["SHOPIFY_API_SECRET", "hidden\u200B"],
  ["SHOPIFY_API_KEY", "hid\u00ADden"],
])("refuses %s with a line break or a sign that nobody sees within: %j", (name, value) => {
  const read = () => readProcessSettings({ ...REQUIRED, [name]: value });
  expect(read).toThrow(`${name}: write it in one line, without signs that nobody sees`);
  expect(read).not.toThrow(/hidden/);
});

test("takes a list whose parts stand each in a line of their own", () => {
  const keys = "k1:one,\n  k2:two";
  const read = readProcessSettings({ ...REQUIRED, PATHWAY_MASTER_KEYS: `${keys}\n` });
  expect(read.PATHWAY_MASTER_KEYS).toBe(keys);
});

test("takes a sender whose name alone is in quotation marks", () => {
  const MAIL_FROM = '"Pathway, Melbourne" <no-reply@pathway.example>';
  expect(readProcessSettings({ ...REQUIRED, MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
});

test.each([
  ["DATABASE_POOL_SIZE", "1", /DATABASE_POOL_SIZE: Too small: .*>=2/],
  ["PORT", "70000", /PORT: Too big: .*<=65535/],
  ["OTEL_TRACES_SAMPLER_ARG", "50", /OTEL_TRACES_SAMPLER_ARG: Too big: .*<=1/],
  ["PATHWAY_QUARANTINE_MS", "1.5", /PATHWAY_QUARANTINE_MS: give a whole number/],
])("says of a number that does not fit, %s=%s, which would", (name, value, sentence) => {
  expect(() => readProcessSettings({ ...REQUIRED, [name]: value })).toThrow(sentence);
});

test("says of a setting that is missing what it is, and of a number that it is one", () => {
  const { SHOPIFY_API_KEY: _, ...others } = REQUIRED;
  expect(() => readProcessSettings({ ...others, PATHWAY_QUARANTINE_MS: "15m" })).toThrow(
    /SHOPIFY_API_KEY: set it \(the app's client id\)\n {2}PATHWAY_QUARANTINE_MS: write it in digits, without a unit/,
  );
});

test.each([
  ["https://PATHWAY.Example/", "https://pathway.example"],
  ["https://pathway.example:443", "https://pathway.example"],
  ["https://[::1]:3000/", "https://[::1]:3000"],
])("reads the address %s as %s", (given, read) => {
  expect(readProcessSettings({ ...REQUIRED, SHOPIFY_APP_URL: given }).SHOPIFY_APP_URL).toBe(read);
});

test.each([
  ["SHOPIFY_APP_URL", "https://pathway.example/app", "leave the path out"],
  ["REFERRAL_SERVICE_STAGING_BASE_URL", "https://u:hidden@s.example", "leave the user and the"],
  ["REFERRAL_SERVICE_STAGING_BASE_URL", "https://s.example/v1?key=hidden", "leave out what stands"],
  ["REFERRAL_SERVICE_STAGING_AUTH_URL", "https://s.example/#hidden", "leave out what stands"],
  ["SMTP_URL", "smtp:hidden", "write smtps://"],
  ["MAIL_FROM", "hidden", "write an address, or Name <address>"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://hidden:4318/v1/traces", "leave /v1/traces out"],
])("refuses %s=%s with its remedy, and does not repeat it", (name, value, remedy) => {
  const read = () => readProcessSettings({ ...REQUIRED, [name]: value });
  expect(read).toThrow(`${name}: ${remedy}`);
  expect(read).not.toThrow(/hidden/);
});

const DATABASE = "postgresql://a:b@c/d";
const PRODUCTION = "REFERRAL_SERVICE_PRODUCTION";
test.each([
  [{ DATABASE_INTAKE_URL: DATABASE }, "DATABASE_URL: set it, for DATABASE_INTAKE_URL is set"],
  [{ PATHWAY_TENANT_KEYS: "k1:x" }, "DATABASE_URL: set it, for PATHWAY_TENANT_KEYS is set"],
  [{ [`${PRODUCTION}_BASE_URL`]: "https://s.example" }, `${PRODUCTION}_AUTH_URL: set it`],
  [{ [`${PRODUCTION}_AUTH_URL`]: "https://s.example" }, `${PRODUCTION}_BASE_URL: set it`],
  [{ [`${PRODUCTION}_APP_URL`]: "https://s.example" }, `${PRODUCTION}_BASE_URL: set it`],
  [{ SMTP_URL: "smtps://mail.example" }, "MAIL_FROM: set it, for SMTP_URL is set"],
  [
    {
      PATHWAY_S3_ENDPOINT: "https://s3.example",
      PATHWAY_S3_BUCKET: "b",
      PATHWAY_S3_ACCESS_KEY_ID: "a",
    },
    "PATHWAY_S3_SECRET_ACCESS_KEY: set it, for PATHWAY_S3_ENDPOINT is set",
  ],
  [{ PATHWAY_S3_BUCKET: "b" }, "PATHWAY_S3_ENDPOINT: set it, for PATHWAY_S3_BUCKET is set"],
])("refuses a part of what belongs together, and names the other: %j", (part, remedy) => {
  expect(() => readProcessSettings({ ...REQUIRED, ...part })).toThrow(remedy);
});

test("asks for no sender where the mail server is of this machine", () => {
  const SMTP_URL = "smtp://127.0.0.1:1025";
  expect(readProcessSettings({ ...REQUIRED, SMTP_URL })).toMatchObject({ SMTP_URL });
});
