#!/usr/bin/env node
// Stands in for VersityGW where compose.yaml is tried and its image can't be had (tools/compose-trial.sh): takes the same words and
// variables, speaks S3 with one login, and keeps each bucket as a folder.
import { createServer } from "node:http";
import S3rver from "s3rver";
import account from "s3rver/lib/models/account.js";

const [port, directory] = [":7070", "/objects"];
const words = process.argv.slice(2).join(" ");
if (words !== `--port ${port} posix ${directory}`) throw new Error(`VersityGW takes no "${words}"`);
const { ROOT_ACCESS_KEY, ROOT_SECRET_KEY, VGW_HEALTH } = process.env;
if (!ROOT_ACCESS_KEY || !ROOT_SECRET_KEY) throw new Error("VersityGW wants a login");

account.DUMMY_ACCOUNT.revokeAccessKey("S3RVER");
account.DUMMY_ACCOUNT.createKeyPair(ROOT_ACCESS_KEY, ROOT_SECRET_KEY);
const answer = new S3rver({ directory, silent: true, vhostBuckets: false }).callback();
createServer((request, response) => {
  if (request.url === VGW_HEALTH) response.end();
  else answer(request, response);
}).listen(Number(port.slice(1)));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit());
