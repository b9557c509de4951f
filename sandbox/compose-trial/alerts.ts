import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { z } from "zod";
import { readMail } from "../store/mail/read-mail.ts";
import type { CustomerApi } from "../world/drivers/customer-api.ts";
import { eventually } from "../world/eventually.ts";
import type { Trail } from "../world/trail.ts";
import { checkout, compose, composeText, docker, HOST, NAME, untilReady } from "./containers.ts";

/** The receivers of alertmanager.yaml that were told. */
const PAGE = "on-call@example.invalid";
const TICKET = "operators@example.invalid";
const LOGIN = "pathway@example.invalid";
/** Where the trial's alerts say that docs/ can be read. */
const DOCS = "https://docs.example.com/pathway/";

interface Told {
  to: string;
  subject: string;
  html: string;
}

/** Takes the mails of alerts from whoever has the password, and counts the signs of life. */
async function startReceivers(password: string) {
  const mails: Told[] = [];
  let signs = 0;
  const mail = new SMTPServer({
    ...{ disabledCommands: ["STARTTLS"], disableReverseLookup: true },
    // The one that Alertmanager uses without TLS.
    ...{ authMethods: ["LOGIN"], allowInsecureAuth: true },
    onAuth: ({ username, password: given }, _session, done) =>
      username === LOGIN && given === password
        ? done(null, { user: username })
        : done(new Error("no such login")),
    onData: (stream, { envelope }, done) =>
      void buffer(stream)
        .then(readMail)
        .then(({ subject, html }) => {
          const [to] = envelope.rcptTo;
          mails.push({ to: to?.address ?? "", subject, html: html ?? "" });
        })
        // The sender is told, tries again, and the trial waits in vain.
        .then(() => done(), done),
  });
  const heartbeat = createServer((_request, response) => {
    signs += 1;
    response.end();
  });
  const listening = mail.listen(0, HOST);
  await Promise.all([once(listening, "listening"), once(heartbeat.listen(0, HOST), "listening")]);
  const at = (address: AddressInfo | string | null) => `${HOST}:${(address as AddressInfo).port}`;
  return {
    mails,
    smarthost: at(listening.address()),
    heartbeat: `http://${at(heartbeat.address())}`,
    signs: () => signs,
    stop() {
      mail.close();
      heartbeat.close();
    },
  };
}

/** Changes a file of the checkout as an operator does. Fails where it is written otherwise. */
function edit(file: string, ...changes: [from: string | RegExp, to: string][]): void {
  const path = join(checkout, "ops/prometheus", file);
  let text = readFileSync(path, "utf8");
  for (const [from, to] of changes) {
    const next = text.replaceAll(from, to);
    if (next === text) throw new Error(`${file} has no ${from}`);
    text = next;
  }
  writeFileSync(path, text);
}

interface Plug {
  /** A sentence that says how it is pulled. */
  pulled: string;
  alert: string;
  to: typeof PAGE | typeof TICKET;
  pull(): Promise<void>;
  putBack(): Promise<void>;
  /** Its rule looks back for longer than a trial waits for the word that it is over. */
  looksBack?: boolean;
}

/** A container that may do anything to the folder of keys. */
const atKeys = ["run", "--rm", "--volume", `${NAME}_keys:/keys`, "docker.io/library/node:24-slim"];
const overdue = (due: string) =>
  composeText(
    ...["exec", "-T", "database", "psql", "-qX", "-U", "pathway", "-c"],
    `UPDATE database_identity SET backup_due_at = ${due}`,
  );

/** Every plug that is pulled. A customer has PDFs, which she opens. */
const plugsOf = (customer: CustomerApi): Plug[] => [
  {
    ...{ pulled: "The workers are stopped", alert: "PathwayNoneReady", to: PAGE },
    pull: () => compose("stop", "worker"),
    putBack: () => compose("start", "worker"),
  },
  {
    ...{ pulled: "The database hangs", alert: "PathwayDatabaseDown", to: PAGE },
    pull: () => compose("pause", "database"),
    putBack: () => compose("unpause", "database"),
  },
  {
    ...{ pulled: "Every process is stopped", alert: "PathwayProcessesMissing", to: PAGE },
    pull: () => compose("stop", "web", "worker"),
    putBack: () => compose("start", "web", "worker"),
  },
  {
    ...{ pulled: "A backup does not come", alert: "PathwayBackupOverdue", to: TICKET },
    pull: async () => void (await overdue("now() - interval '1 minute'")),
    putBack: async () => void (await overdue("now() + interval '26 hours'")),
  },
  {
    ...{ pulled: "The folder of keys takes no writes", alert: "PathwayKeyFolderFailing", to: PAGE },
    looksBack: true,
    pull: async () => void (await docker(...atKeys, "chmod", "-R", "a-w", "/keys")),
    putBack: async () => void (await docker(...atKeys, "chmod", "-R", "u+w", "/keys")),
  },
  {
    ...{ pulled: "The object storage is stopped", to: PAGE },
    ...{ alert: "PathwayDocumentStoreFailing", looksBack: true },
    async pull() {
      await compose("stop", "objects");
      for (let times = 0; times < 6; times += 1)
        if ((await pdfStatuses(customer)).includes(200)) throw new Error("a PDF opens without it");
    },
    async putBack() {
      await compose("start", "objects");
      await eventually(() => pdfsOpen(customer), { what: "the customer's PDFs" });
    },
  },
];

/** Each of the customer's PDFs opens. Fails as long as one does not. */
export async function pdfsOpen(customer: CustomerApi): Promise<void> {
  const statuses = await pdfStatuses(customer);
  if (statuses.some((status) => status !== 200)) throw new Error(statuses.join(", "));
}

/** How each of the customer's PDFs answers. */
async function pdfStatuses(customer: CustomerApi): Promise<number[]> {
  const documents = (await customer.requests()).flatMap((request) => request.documents);
  if (documents.length === 0) throw new Error("the customer has no PDF");
  return Promise.all(documents.map(({ id }) => customer.documentStatus(id)));
}

/** Asks Prometheus, which no port of this machine leads to. */
const ask = async <T>(what: string, schema: z.ZodType<T>) =>
  schema.parse(
    JSON.parse(
      await composeText(
        ...["exec", "-T", "prometheus", "wget", "-qO-"],
        `http://127.0.0.1:9090/api/v1/${what}`,
      ),
    ),
  );
const alertsSchema = z.object({
  data: z.object({ alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }) })) }),
});
const targetsSchema = z.object({
  data: z.object({
    activeTargets: z.array(z.object({ scrapeUrl: z.string(), health: z.string() })),
  }),
});

export type Alerts = Awaited<ReturnType<typeof prepareAlerts>>;

/**
 * Writes into the checkout's ops/prometheus who is told and where docs/ can be read, as the book says, and shorter waits than an
 * operator wants: each `for` of a rule, the time between two scrapes, and what Alertmanager waits for to tell several at once.
 * Windows and thresholds stay.
 */
export async function prepareAlerts(password: string) {
  const receivers = await startReceivers(password);
  edit("prometheus.yaml", ["# external_labels:", "external_labels:"], [/: 15s$/gm, ": 5s"]);
  edit("rules.yaml", [/^( +for:) \w+$/gm, "$1 5s"]);
  edit(
    "alertmanager.yaml",
    ["smtp_smarthost: mail.example:587", `smtp_smarthost: ${receivers.smarthost}`],
    // The trial's mail server has no certificate.
    ["\nroute:", "\n  smtp_require_tls: false\nroute:"],
    [/group_wait: 30s/g, "group_wait: 1s"],
    [/group_interval: \w+/g, "group_interval: 5s"],
    [/repeat_interval: 5m/g, "repeat_interval: 5s"],
    [/(- name: sign-of-life\n)/g, `$1    webhook_configs: [{ url: "${receivers.heartbeat}" }]\n`],
  );

  /** Waits for a mail about an alert that came after so many others. */
  const toldOf = ({ alert, to }: Plug, state: "FIRING" | "RESOLVED", after: number) =>
    eventually(
      () => {
        const said = receivers.mails.slice(after);
        const mail = said.find(
          ({ subject }) => subject.startsWith(`[${state}`) && subject.includes(alert),
        );
        if (!mail) throw new Error(said.map(({ subject }) => subject).join(", ") || "no mail");
        if (mail.to !== to) throw new Error(`${alert} was told to ${mail.to}`);
        return mail;
      },
      { what: `${state} ${alert}`, timeoutMs: 180_000 },
    );

  async function pull(plug: Plug): Promise<string> {
    // A machine that is busy makes an alert of its own, of which nobody is told twice.
    await eventually(
      async () => {
        const { alerts } = (await ask("alerts", alertsSchema)).data;
        const names = alerts.map(({ labels }) => labels.alertname);
        const inTheWay = [plug.alert, "PathwayDatabaseDown", "PathwayProcessesMissing"];
        if (inTheWay.some((name) => names.includes(name))) throw new Error(names.join(", "));
      },
      { what: "an end of other alerts", timeoutMs: 300_000 },
    );
    const before = receivers.mails.length;
    await plug.pull();
    const { html } = await toldOf(plug, "FIRING", before);
    const [, file = ""] = new RegExp(`href="${DOCS}(docs/runbooks/[\\w-]+\\.md)"`).exec(html) ?? [];
    if (!existsSync(join(checkout, file || "none")))
      throw new Error(`the mail about ${plug.alert} links to no runbook: ${html}`);
    const told = receivers.mails.length;
    await plug.putBack();
    await untilReady();
    if (!plug.looksBack) await toldOf(plug, "RESOLVED", told);
    return file;
  }

  return {
    /** All targets of Prometheus answer, and somebody outside gets the sign of life. */
    async areWatched(): Promise<void> {
      await eventually(async () => {
        const { activeTargets } = (await ask("targets", targetsSchema)).data;
        const down = activeTargets.filter(({ health }) => health !== "up");
        if (activeTargets.length !== 3 || down.length > 0)
          throw new Error(JSON.stringify(activeTargets));
        if (receivers.signs() === 0) throw new Error("no sign of life");
      });
    },
    /** Pulls every plug and puts it back. Each has to be told of to the right person, with a link to its runbook. */
    async pullPlugs(trail: Trail, customer: CustomerApi): Promise<void> {
      for (const plug of plugsOf(customer))
        await trail.step(`${plug.pulled}, and ${plug.to} is told`, () => pull(plug));
    },
    stop: receivers.stop,
  };
}
