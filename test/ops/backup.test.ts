import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/index.ts";

/** The script with a dump of its own making: what the disk and the database are told is what counts here. */
function startBackup() {
  const dir = mkdtempSync(join(tmpdir(), "pathway-backup-"));
  const at = (name: string) => join(dir, name);
  for (const name of ["bin", "backups", "documents", "objects"]) mkdirSync(at(name));
  writeFileSync(at("password"), "secret\n");
  writeFileSync(at("documents/one.sealed"), "sealed");
  const program = (name: string, script: string) => {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  };
  // Fails while the file "full" is there, with half a dump written. Waits half way while "slow" is there.
  program(
    "pg_dump",
    `echo half; [ ! -e ${at("full")} ] || exit 1; touch ${at("begun")}; while [ -e ${at("slow")} ]; do sleep 0.05; done; echo whole`,
  );
  program(
    "psql",
    `[ ! -e ${at("away")} ] || exit 1; for last; do :; done
     case "$last" in SELECT*) [ ! -e ${at("new")} ] || echo t;; *) echo "$PGUSER $PGPASSWORD: $last" >> ${at("notes")};; esac`,
  );
  const start = () => {
    const child = spawn("/bin/sh", ["ops/backup.sh"], {
      env: {
        ...{ ...process.env, PATH: `${at("bin")}:/usr/bin:/bin` },
        ...{ PASSWORD_FILE: at("password"), BACKUP_DIR: at("backups") },
        ...{ DOCUMENTS_DIR: at("documents"), OBJECTS_DIR: at("objects") },
        ...{ EVERY_SECONDS: "600", AGAIN_SECONDS: "0.2", LOOK_SECONDS: "0.2" },
      },
      detached: true,
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => said.push(text.toString()));
    onTestFinished(() => {
      process.kill(-Number(child.pid), "SIGKILL");
      rmSync(dir, { recursive: true, force: true });
    });
    return { said };
  };
  const notes = () =>
    existsSync(at("notes")) ? readFileSync(at("notes"), "utf8").trim().split("\n") : [];
  return { at, start, notes, program };
}

const DUE_AT_FIRST =
  "pathway secret: UPDATE database_identity SET backup_due_at = coalesce(backup_due_at, now() + interval '2 hours')";
const DUE_NEXT =
  "pathway secret: UPDATE database_identity SET backup_due_at = now() + interval '26 hours'";

test("each backup has its dump and both stores of PDFs, and notes when the next one is due", async () => {
  const { at, start, notes } = startBackup();
  const old = at("backups/pathway-2026-01-01.dump");
  writeFileSync(old, "old");
  utimesSync(old, 0, 0);
  const { said } = start();
  await eventually(() => expect(said.join("")).toBe("The backup is complete\n"));
  const files = readdirSync(at("backups")).toSorted();
  expect(files).toEqual([
    expect.stringMatching(/^documents-\d{4}-\d\d-\d\d\.tar$/),
    expect.stringMatching(/^objects-.*\.tar$/),
    expect.stringMatching(/^pathway-.*\.dump$/),
  ]);
  expect(readFileSync(at(`backups/${files[2]}`), "utf8")).toBe("half\nwhole\n");
  expect(notes()).toEqual([DUE_AT_FIRST, DUE_NEXT]);
});

test("a backup of the same day stays: it may be all that is left when a database was lost and a new one is there", async () => {
  const { at, start, program } = startBackup();
  const today = new Date().toISOString().slice(0, 10);
  const earlier = at(`backups/pathway-${today}.dump`);
  writeFileSync(earlier, "of the database that was lost");
  // The dump of the new one is there, and the rest of its backup fails for a while.
  writeFileSync(at("full-tar"), "");
  program("tar", `[ ! -e ${at("full-tar")} ] || exit 2; exec /usr/bin/tar "$@"`);
  const { said } = start();
  await eventually(() =>
    expect(said.join("").split("The backup failed").length).toBeGreaterThan(2),
  );
  rmSync(at("full-tar"));
  await eventually(() => expect(said.join("")).toContain("The backup is complete"));
  expect(readFileSync(earlier, "utf8")).toBe("of the database that was lost");
  const files = readdirSync(at("backups")).toSorted();
  expect(files).toEqual([
    expect.stringMatching(/^documents-\d{4}-\d\d-\d\dT\d{6}\.tar$/),
    expect.stringMatching(/^objects-.*T\d{6}\.tar$/),
    `pathway-${today}.dump`,
    expect.stringMatching(/^pathway-.*T\d{6}\.dump$/),
  ]);
});

test("a dump that fails leaves what was there, is said, is tried again, and is due all the same", async () => {
  const { at, start, notes } = startBackup();
  const old = at("backups/pathway-2026-01-01.dump");
  writeFileSync(old, "old");
  utimesSync(old, 0, 0);
  writeFileSync(at("full"), "");
  const { said } = start();
  const failure = "The backup failed; it is tried again in 15 minutes";
  await eventually(() => expect(said.join("").split(failure).length).toBeGreaterThan(2));
  expect(readdirSync(at("backups")).filter((name) => !name.startsWith(".new"))).toEqual([
    "pathway-2026-01-01.dump",
  ]);
  expect(new Set(notes())).toEqual(new Set([DUE_AT_FIRST]));

  rmSync(at("full"));
  await eventually(() => expect(said.join("")).toContain("The backup is complete"));
  expect(notes().at(-1)).toBe(DUE_NEXT);
});

test("a backup that the database cannot note is complete all the same, and is not made again at once", async () => {
  const { at, start, notes } = startBackup();
  writeFileSync(at("away"), "");
  const { said } = start();
  await eventually(() => expect(said.join("")).toContain("The backup is complete"));
  expect(said.join("")).toContain("The database could not note the backup");
  expect(said.join("")).not.toContain("The backup failed");
  expect(notes()).toEqual([]);
});

test("a database that nobody has worked with yet is not backed up: the first dump waits until it is there and its backups can be noted", async () => {
  const { at, start, notes } = startBackup();
  writeFileSync(at("new"), "");
  const { said } = start();
  await eventually(() =>
    expect(said.join("")).toContain("No process has worked with this database yet"),
  );
  expect(existsSync(at("begun"))).toBe(false);
  expect(notes()).toEqual([]);

  rmSync(at("new"));
  await eventually(() => expect(said.join("")).toContain("The backup is complete"));
  expect(notes()).toEqual([DUE_AT_FIRST, DUE_NEXT]);
});

test("a second backup beside the first spoils neither", async () => {
  const { at, start } = startBackup();
  writeFileSync(at("slow"), "");
  const first = start();
  await eventually(() => expect(existsSync(at("begun"))).toBe(true));
  // Somebody else's dump fails meanwhile, and is cleared away.
  writeFileSync(at("full"), "");
  const second = start();
  await eventually(() => expect(second.said.join("")).toContain("The backup failed"));
  rmSync(at("slow"));
  await eventually(() => expect(first.said.join("")).toContain("The backup is complete"));
  const dump = readdirSync(at("backups")).find((name) => name.endsWith(".dump"));
  expect(readFileSync(at(`backups/${dump}`), "utf8")).toBe("half\nwhole\n");
});

test("PDFs that come and go while they are packed do not make a backup fail", async () => {
  const { at, start, program } = startBackup();
  // As GNU tar ends when a file is removed, or a folder changes, under its hands.
  program("tar", `/usr/bin/tar "$@"; exit 1`);
  const { said } = start();
  await eventually(() => expect(said.join("")).toContain("The backup is complete"));
  expect(readdirSync(at("backups"))).toHaveLength(3);
});

test("an archive that could not be written is no backup", async () => {
  const { at, start, program } = startBackup();
  program("tar", "echo half; exit 2");
  const { said } = start();
  await eventually(() => expect(said.join("")).toContain("The backup failed"));
  expect(readdirSync(at("backups")).filter((name) => name.endsWith(".tar"))).toEqual([]);
});

test("what a killed backup left is cleared away by a later one", async () => {
  const { at, start } = startBackup();
  const left = at("backups/.new.killed");
  writeFileSync(left, "half");
  utimesSync(left, 0, Date.now() / 1000 - 2 * 86_400);
  const { said } = start();
  await eventually(() => expect(said.join("")).toContain("The backup is complete"));
  expect(existsSync(left)).toBe(false);
});
