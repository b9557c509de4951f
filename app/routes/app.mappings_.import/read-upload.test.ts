import { describe, expect, test } from "vitest";
import { MAX_BYTES } from "../../modules/catalogue/read-file.ts";
import { readUpload } from "./read-upload.server.ts";

const BOUNDARY = "edge";
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string, name = "m.csv") =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`;

/** Counts how much of the form was asked for. */
function upload(parts: Iterable<string>) {
  const all = parts[Symbol.iterator]();
  const seen = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = all.next();
      if (done) {
        controller.enqueue(new TextEncoder().encode(`--${BOUNDARY}--\r\n`));
        controller.close();
        return;
      }
      seen.bytes += value.length;
      controller.enqueue(new TextEncoder().encode(value));
    },
  });
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  const request = new Request("https://app.example/app/mappings/import", {
    ...{ method: "POST", headers, body },
    duplex: "half",
  } as RequestInit);
  return { request, seen };
}
const read = (parts: Iterable<string>) => readUpload(upload(parts).request);

test("reads the file and the environment of the form", async () => {
  expect(await read([field("environment", "staging"), file("sku\n1\n")])).toEqual({
    kind: "file",
    name: "m.csv",
    bytes: new Uint8Array(Buffer.from("sku\n1\n")),
    environment: "staging",
  });
});

describe("ends", () => {
  const interrupted = { kind: "fault", message: "The upload was interrupted. Try again." };

  test.each([
    ["many parts", Array.from({ length: 50_000 }, (_, n) => field(`f${n}`, ""))],
    ["many files", Array.from({ length: 40 }, () => file("x".repeat(1_000_000)))],
  ])("a form of %s without reading it to the end", async (_, parts) => {
    const { request, seen } = upload(parts);
    expect(await readUpload(request)).toEqual(interrupted);
    const all = parts.reduce((sum, part) => sum + part.length, 0);
    expect(seen.bytes).toBeLessThan(all / 4);
  });

  test("a file that is too large with words, and a long value", async () => {
    const half = "x".repeat(MAX_BYTES / 2);
    expect(await read([file(half + half)])).toMatchObject({ kind: "file" });
    expect(await read([file(`${half}${half}y`)])).toMatchObject({
      message: expect.stringContaining("larger than 5 MB"),
    });
    expect((await read([field("environment", "x".repeat(2_000)), file("a")])).kind).toBe("fault");
  });
});
