import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { AwsClient } from "aws4fetch";
import type { S3Settings } from "../../app/clients/documents/s3-store.ts";
import { freePort } from "../../sandbox/world/ports.ts";
import { makeDataFolder } from "../setup/data-folder.ts";

const PROGRAMS = ["ceph-mon", "ceph-osd", "radosgw", "radosgw-admin", "ceph", "monmaptool"];
/** Whether there is a Ceph with its object gateway here. Where there is none, a file that needs it is skipped, and says so. */
export const hasCeph = PROGRAMS.every((name) => existsSync(`/usr/bin/${name}`));
if (!hasCeph)
  process.stderr.write("ceph is not installed: documents in a real object store are left out\n");

const START_MS = 90_000;
/** Enough for every document of a test, in memory. */
const DEVICE_BYTES = 512 * 1024 ** 2;

const run = promisify(execFile);

/** An object store as hospitals run it, on this machine alone: one monitor, one disk in memory, and the gateway that speaks S3. */
export interface Ceph {
  settings: S3Settings;
  /** Ends the gateway without a word, or starts it on the same port. */
  killGateway(): Promise<void>;
  startGateway(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCeph(): Promise<Ceph> {
  const folder = makeDataFolder("pathway-ceph-");
  const conf = join(folder, "ceph.conf");
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
  const monitor = `[v1:127.0.0.1:${monitorPort}]`;
  const cluster = randomUUID();
  const children: ChildProcess[] = [];
  for (const name of ["mon", "osd", "rgw"]) await mkdir(join(folder, name));
  await writeFile(
    conf,
    `[global]
fsid = ${cluster}
mon host = ${monitor}
run dir = ${folder}
admin socket =
log file =
mon data = ${join(folder, "mon")}
osd data = ${join(folder, "osd")}
rgw data = ${join(folder, "rgw")}
ms bind ipv6 = false
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
mon data avail crit = 1
mon data avail warn = 1
mon allow pool size one = true
osd objectstore = memstore
memstore device bytes = ${DEVICE_BYTES}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
`,
  );
  /** Ends by itself, or says in its error what it wrote. */
  const tell = (program: string, ...says: string[]) =>
    run(program, [...says, "-c", conf], { timeout: START_MS });
  function start(program: string, ...says: string[]): ChildProcess {
    const child = spawn(program, ["-f", ...says, "-c", conf], { stdio: "ignore" });
    children.push(child);
    return child;
  }
  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  const map = join(folder, "monmap");
  await run("monmaptool", ["--create", "--fsid", cluster, "--addv", "a", monitor, map]);
  await tell("ceph-mon", "--mkfs", "-i", "a", "--monmap", map);
  start("ceph-mon", "-i", "a");
  const disk = randomUUID();
  await tell("ceph", "osd", "new", disk);
  await tell("ceph-osd", "--mkfs", "-i", "0", "--osd-uuid", disk);
  start("ceph-osd", "-i", "0");

  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${gatewayPort}`,
    ...{ bucket: "documents", region: "ap-southeast-2" },
    ...{ accessKeyId: "PATHWAYDOCUMENTS", secretAccessKey: randomBytes(20).toString("hex") },
  };
  const { accessKeyId, secretAccessKey, region, endpoint, bucket } = settings;
  const keys = ["--access-key", accessKeyId, "--secret-key", secretAccessKey];
  await tell(
    "radosgw-admin",
    ...["user", "create", "--uid", "pathway", "--display-name", "Pathway", ...keys],
  );
  let gateway: ChildProcess;
  const ceph: Ceph = {
    settings,
    killGateway: () => kill(gateway),
    async startGateway() {
      gateway = start("radosgw", "-n", "client.rgw");
      for (const giveUpAt = performance.now() + START_MS; ; await delay(100))
        try {
          await fetch(endpoint);
          return;
        } catch (error) {
          if (performance.now() > giveUpAt || gateway.exitCode !== null) throw error;
        }
    },
    async stop() {
      for (const child of children) await kill(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
  await ceph.startGateway();
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const made = await aws.fetch(`${endpoint}/${bucket}`, { method: "PUT" });
  if (!made.ok) throw new Error(`no bucket: ${made.status} ${await made.text()}`);
  return ceph;
}
