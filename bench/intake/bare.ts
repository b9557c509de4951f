/**
 * The floor under intake's cost: Node's http, one HMAC over the body, one INSERT of it into the same PostgreSQL, 200.
 * No encryption, no queue, no checks, nothing else.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const secret = process.env.BENCH_SECRET ?? "";
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const insert = "INSERT INTO bench.inbox (event_id, body) VALUES ($1, $2)";

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", async () => {
    const body = Buffer.concat(chunks);
    const given = Buffer.from(String(request.headers["x-shopify-hmac-sha256"]), "base64");
    const expected = createHmac("sha256", secret).update(body).digest();
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      response.writeHead(401, { "content-length": "0" }).end();
      return;
    }
    try {
      const values = [request.headers["x-shopify-event-id"], body];
      await pool.query({ name: "insert", text: insert, values });
      response.writeHead(200, { "content-length": "0" }).end();
    } catch {
      response.writeHead(503, { "content-length": "0" }).end();
    }
  });
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
