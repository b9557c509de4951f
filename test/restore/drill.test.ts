/** Long because the drill is one story, from the backup to the last reader. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { REGULAR } from "../chaos/settle.ts";
import { startProxy } from "../chaos/switchable-proxy.ts";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { fetchDocument, textOfPdf } from "../flows/customer-documents.ts";
import { asBearer, mailTo } from "../flows/mailed-links.ts";
import { requestsOf } from "../flows/rows.ts";
import { goShopping, only, type Shopper } from "../flows/shopping.ts";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { readBook, runLine } from "./book.ts";
import {
  areShut,
  buyTest,
  giveDetailsByLink,
  invitePatient,
  mailedToken,
  resultsCome,
} from "./link-readers.ts";
import {
  baseBackup,
  findPostgres,
  installExtension,
  type OwnedPostgres,
  recoverBaseBackup,
  startOwnedPostgres,
} from "./postgres-tools.ts";

/** Everything after the start is waited for: the machine may be busy. */
const PATIENCE = { timeoutMs: 120_000 };
/** The settings of the processes that `npm run migrate` needs as well. */
const SETTINGS = {
  PATHWAY_TENANT_KEYS: `drill:${randomBytes(32).toString("base64")}`,
  PATHWAY_WEB_PASSWORD: "of-web",
  PATHWAY_WORKER_PASSWORD: "of-worker",
  PATHWAY_INTAKE_PASSWORD: "of-intake",
};

test("a dump, restored into a new server by the book, orders nothing twice and mails again whose link is dead", async ({
  skip,
}) => {
  const native = findPostgres();
  if (!native)
    return skip("no PostgreSQL with pg_dump and psql is here (Debian's package postgresql)");
  const book = readBook();
  await drill({
    native,
    async take({ administratorUrl: ADMINISTRATOR_URL, dir: first }) {
      const BACKUP = `${first}.sql`;
      await installExtension(ADMINISTRATOR_URL);
      runLine(book.backUp, { ADMINISTRATOR_URL, BACKUP }, native);
      return async (dir) => {
        const second = await startOwnedPostgres(native, dir);
        const OWNER_URL = second.ownerUrl;
        for (const line of book.restore) runLine(line, { ...SETTINGS, OWNER_URL, BACKUP }, native);
        return second;
      };
    },
  });
}, 900_000);

test("a base backup, recovered by the book, orders nothing twice and mails again whose link is dead", async () => {
  await drill({
    native: undefined,
    async take(first) {
      const backup = `${first.dir}-backup`;
      await baseBackup(first, backup);
      return async () => {
        const second = await recoverBaseBackup(backup);
        runLine(readBook().migrate, { ...SETTINGS, OWNER_URL: second.ownerUrl });
        return second;
      };
    },
  });
}, 900_000);

/** Takes a backup of a server. Answers what restores it, into a folder or where it lies. */
type Take = (first: OwnedPostgres) => Promise<(dir: string) => Promise<OwnedPostgres>>;

/** Goes through *Backup and restore* of docs/operations.md, with a backup that is taken and restored in one of its ways. */
async function drill({ native, take }: { native: string | undefined; take: Take }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pathway-restore-"));
  // PostgreSQL, which may run as another user, must be able to pass through.
  await chmod(folder, 0o711);
  const first = await startOwnedPostgres(native, join(folder, "first"));
  let second: OwnedPostgres | undefined;
  await using address = await startProxy(first.port);
  const behindAddress = new URL(first.ownerUrl);
  behindAddress.port = String(address.port);
  const stores = { PATHWAY_DOCUMENTS: "files", PATHWAY_DOCUMENTS_DIR: join(folder, "documents") };
  try {
    await using world = await startWorld({
      databaseUrl: behindAddress.href,
      workers: 1,
      quarantineMs: 1_000,
      env: {
        ...SETTINGS,
        ...stores,
        PATHWAY_CREATE_TIMEOUT_MS: "3000",
        PATHWAY_SYNC_INTERVAL_MS: "2000",
        PATHWAY_MAINTENANCE_INTERVAL_MS: "4000",
      },
    });
    const shopping = goShopping(world);

    // The backup has this.
    const whole = await shopping.newShopper();
    await shopping.buyToForm(whole);
    const asked = await shopping.newShopper();
    const askedOrder = await shopping.buy(asked, [[shopping.product("bundle").variantId, 1]]);
    const waiting = await shopping.requestsWhen(askedOrder, 1);
    const invited = await invitePatient(world, "invited");
    const formReader = await invitePatient(world, "form");
    const resultReader = await invitePatient(world, "result");
    const mistyped = await invitePatient(world, "mistyped");
    const given = await buyTest(world);
    await mailTo(world, whole.email, /form is ready/);
    await quiet(world);
    const restore = await take(first);

    // The backup does not have this.
    await shopping.giveDetails(asked, waiting);
    await formsOf(asked, 1);
    const later = await shopping.newShopper();
    const { requests } = await shopping.buyToForm(later);
    const [answered] = await oneReferralEach(world, requests);
    const refunded = await shopping.newShopper();
    await refundWaitingUnit(world, refunded);
    for (const { email } of [asked, later]) await mailTo(world, email, /form is ready/);
    // The form and the refund in one.
    await mailTo(world, refunded.email, /News about your order/);
    await world.service.generateResults(answered?.uuid ?? "");
    await mailTo(world, later.email, /something new for you to see/);
    // Links that were used, replaced or withdrawn since, and links that only the lost database knows.
    const formOnly = await giveDetailsByLink(world, formReader);
    const form = await giveDetailsByLink(world, resultReader);
    const lostLinks = [formOnly, form, await resultsCome(world, resultReader)];
    const corrected = { email: shopping.newAddress("corrected") };
    await mistyped.buyer.api.handOver(mistyped.request.id, corrected.email);
    lostLinks.push(await mailedToken(world, corrected, /ordered something for you/));
    // Tests that became their patients' since: of an order that the backup has, and of one that it does not have.
    const handed = [
      await invitePatient(world, "given", given),
      await invitePatient(world, "bought-and-given"),
    ];
    for (const reader of handed)
      lostLinks.push(reader.invitation, await giveDetailsByLink(world, reader));
    const endedLinks = [formReader, resultReader, mistyped].map(({ invitation }) => invitation);
    await quiet(world);
    await areKept(world);
    const mailsBefore = mailsOf(await world.store.mail());
    const referralsBefore = (await world.console.stats()).referralsByReferenceNumber;
    expect(Object.values(referralsBefore)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);

    // The server is lost.
    address.lead(null);
    const lost = await world.processes();
    for (const pid of [lost.app, ...lost.workers]) process.kill(pid, "SIGKILL");
    await first.stop();

    // By the book: the backup, the migration; then the processes, and the store of PDFs.
    second = await restore(join(folder, "second"));
    address.lead(second.port);
    await ready(world, PATIENCE.timeoutMs);
    expect(whoseDocuments(second.ownerUrl, stores)).toContain("only read it");
    expect(runLine(readBook().claim, { ...stores, OWNER_URL: second.ownerUrl })).toContain(
      "belongs to this database",
    );

    // Paused, walked, linked, and sent on.
    expect(
      await world.sql.count("SELECT count(*) FROM database_identity WHERE switched_at IS NOT NULL"),
    ).toBe(1);
    await eventually(async () => {
      expect(
        await world.sql.count("SELECT count(*) FROM connections WHERE paused_at IS NOT NULL"),
      ).toBe(0);
      await formsOf(asked, 1);
      await statesOf(later, "results_ready");
      // The unit that was ordered is the one that is left.
      await formsOf(refunded, 1);
      for (const { buyer } of handed) await statesOf(buyer, "handed_over");
    }, PATIENCE);
    await quiet(world);
    expect((await world.console.stats()).referralsByReferenceNumber).toEqual(referralsBefore);
    // A holder of a dead link is mailed another one, once.
    for (const { email } of [formReader, ...handed]) await mailTo(world, email, /form is ready/);
    const mailsAfter = mailsOf(await world.store.mail());
    const holders = [
      ...[formReader, ...handed].map((reader) => {
        return { reader, subject: /form is ready/, state: "form_ready" };
      }),
      { reader: resultReader, subject: /something new/, state: "results_ready" },
    ];
    const again = holders.map(({ reader, subject }) =>
      only(mailsBefore.filter((one) => one.startsWith(reader.email) && subject.test(one))),
    );
    // Staff are told of the test whose patient's address is lost.
    again.push(only(mailsAfter.filter((one) => one.includes("needs your attention"))));
    expect(mailsAfter).toEqual([...mailsBefore, ...again].toSorted());
    await areShut(world, [...lostLinks, ...endedLinks]);
    for (const { reader, subject, state } of holders) {
      const seen = await asBearer(world, await mailedToken(world, reader, subject), "requests");
      expect(await seen.json()).toMatchObject([{ state }]);
    }

    // A buyer sees nothing of a test that is its patient's, and is asked for an address that is lost.
    for (const { buyer } of handed)
      expect(await buyer.api.requests()).toMatchObject([{ state: "handed_over", documents: [] }]);
    expect(await mistyped.buyer.api.requests()).toMatchObject([
      { state: "handed_over", nextStep: expect.stringContaining("invite them again") },
    ]);

    // Documents that came before the claim have moved to the others.
    await eventually(async () => {
      const elsewhere = "SELECT count(*) FROM document_bodies WHERE store IS DISTINCT FROM 'files'";
      expect(await world.sql.count(elsewhere)).toBe(0);
    }, PATIENCE);

    // Sealed documents open, and mailed links work.
    const sealed = only(only(await whole.api.requests()).documents);
    const pdf = await fetchDocument(world, sealed.id, whole.id);
    expect(await textOfPdf(new Uint8Array(await pdf.arrayBuffer()))).toContain("Referral");
    await giveDetailsByLink(world, invited);
    const { referralsByReferenceNumber } = await world.console.stats();
    expect(referralsByReferenceNumber[invited.request.referenceNumber]).toBe(1);
  } finally {
    await first.stop();
    await second?.stop();
    const backups = [`${first.dir}-backup`, `${first.dir}.sql`];
    for (const path of [folder, first.dir, ...backups, second?.dir ?? folder])
      rmSync(path, { recursive: true, force: true });
  }
}

/** Asks, as the owner, whose the store of PDFs is. It is not this database's. */
function whoseDocuments(DATABASE_URL: string, stores: Record<string, string>): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["app/commands/documents.ts"], {
    env: { ...process.env, ...stores, DATABASE_URL },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(1);
  return stdout;
}

/**
 * Until all that happened is in the journals outside the database, which every process writes with each beat (decisions 198 and 218). A
 * second beat says that the first one ended.
 */
const areKept = ({ sql }: TestWorld) => {
  const now = new Date().toISOString();
  return eventually(
    async () => {
      const silent = `SELECT count(*) FROM loop_heartbeats WHERE loop = 'process'
        AND beat_at < timestamptz '${now}' + interval '11 seconds'`;
      expect(await sql.count(silent)).toBe(0);
    },
    { what: "two beats of each process", ...PATIENCE },
  );
};

/** Buys two units, has the second one's form made, and is refunded the first one, whose details were never given. */
async function refundWaitingUnit(world: TestWorld, buyer: Shopper): Promise<void> {
  const shopping = goShopping(world);
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 2]]);
  const units = await shopping.requestsWhen(order, 2);
  await shopping.giveDetails(buyer, units.slice(1));
  const statesAre = (...states: string[]) =>
    eventually(async () => {
      const now = await requestsOf(world.sql, order.id);
      expect(now.map(({ state }) => state)).toEqual(states);
    }, PATIENCE);
  await statesAre("awaiting_details", "created");
  await world.store.refund(order.id, [{ lineItemId: only(order.lines).id, quantity: 1 }]);
  await statesAre("cancelled", "created");
}

/** Every process of the world says that it is ready. */
const ready = ({ line }: TestWorld, timeoutMs: number) =>
  eventually(
    async () => {
      for (const url of [line.admin_urls.app, ...line.admin_urls.workers])
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
    },
    { what: "every process is ready", timeoutMs },
  );

const statesOf = ({ api }: Shopper, ...states: string[]) =>
  eventually(async () => expect((await api.requests()).map(({ state }) => state)).toEqual(states), {
    what: states.join(),
    ...PATIENCE,
  });

const formsOf = (shopper: Shopper, count: number) =>
  statesOf(shopper, ...Array(count).fill("form_ready"));

/** Until nothing is to be done any more but what is done again and again. */
const quiet = ({ sql }: TestWorld) =>
  eventually(
    async () => {
      const open = await sql.rows(
        z.object({ name: z.string() }),
        `SELECT name FROM outbox WHERE name NOT IN ${REGULAR}
         UNION ALL SELECT name FROM pgboss.job WHERE state IN ('created', 'retry', 'active')
           AND name NOT IN ${REGULAR} AND name NOT LIKE '\\_\\_pgboss%'
         UNION ALL SELECT 'inbox' FROM inbox WHERE state IN ('received', 'queued')`,
      );
      expect(open).toEqual([]);
    },
    { what: "nothing is under way", ...PATIENCE },
  );

/** Who was told what, how often. */
const mailsOf = (mails: readonly { to: string | string[]; subject: string }[]) =>
  mails.map(({ to, subject }) => `${to}: ${subject}`).toSorted();
