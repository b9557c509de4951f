import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { despiteClosedConnection } from "../../platform/closed-meanwhile.ts";
import { DocumentStoreFailed } from "../../platform/errors.ts";
import type { ListedObject, ObjectStore } from "./object-store.ts";

export interface S3Settings {
  /** Without a slash at its end, such as https://s3.ap-southeast-2.amazonaws.com. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** A store that is silent for so long does not answer: the job is tried again. */
const TIMEOUT_MS = 15_000;

/**
 * Objects in any store that speaks S3, as `<bucket>/<folder>/<name>` below the endpoint: not every store can have a domain for
 * each bucket. Credentials go into no address, no log and no error.
 */
export function createS3Store(settings: S3Settings, timeoutMs = TIMEOUT_MS): ObjectStore {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const addressOf = (folder: string, name: string) => `${endpoint}/${bucket}/${folder}/${name}`;
  async function ask(method: string, address: string, bytes?: Buffer): Promise<Response> {
    try {
      // The payload is signed as well: what arrives is what was sent.
      const sha256 = createHash("sha256")
        .update(bytes ?? "")
        .digest("hex");
      const headers = {
        "X-Amz-Content-Sha256": sha256,
        "Content-Type": "application/octet-stream",
      };
      const body = bytes ? { body: new Uint8Array(bytes) } : {};
      // The signal of a `Request` that nobody holds any more ends nothing once memory was collected: `fetch` gets it itself. It
      // is asked once, and where it was told to: whoever called knows how urgent another try is. Each of these calls may come twice.
      const signal = AbortSignal.timeout(timeoutMs);
      return await despiteClosedConnection(async () => {
        const request = await signer.sign(address, { method, headers, ...body });
        return fetch(request, { signal, redirect: "manual" });
      });
    } catch (cause) {
      throw new DocumentStoreFailed("unreachable", { cause });
    }
  }
  return {
    async put(folder, name, bytes) {
      const response = await ask("PUT", addressOf(folder, name), bytes);
      if (!response.ok) throw (await refusalOf(response)).error;
      await text(response);
      // Every store names what it took. A proxy's page says 200 too, and has taken nothing.
      if (!response.headers.get("ETag")) throw noAnswerOfS3("PUT");
    },
    async get(folder, name) {
      const response = await ask("GET", addressOf(folder, name));
      if (!response.ok) {
        const { code, error } = await refusalOf(response);
        if (code === "NoSuchKey") return null;
        throw error;
      }
      return Buffer.from(await body(response.arrayBuffer()));
    },
    async delete(folder, name) {
      const response = await ask("DELETE", addressOf(folder, name));
      if (response.ok) return void (await text(response));
      // AWS answers 204 for what is not there, others 404: it may be gone by a call whose answer was lost.
      const { code, error } = await refusalOf(response);
      if (code !== "NoSuchKey") throw error;
    },
    async *list(folder, { from, until }) {
      for (let after = before(from), isMore = true; isMore; ) {
        const query = new URLSearchParams({
          "list-type": "2",
          prefix: `${folder}/`,
          "start-after": `${folder}/${after}`,
        });
        const response = await ask("GET", `${endpoint}/${bucket}?${query}`);
        if (!response.ok) throw (await refusalOf(response)).error;
        const page = readPage(await text(response));
        for (const { key, at } of page.objects) {
          after = key.slice(folder.length + 1);
          if (until !== null && after >= until) return;
          yield { name: after, at } satisfies ListedObject;
        }
        // Where the list goes on behind nothing cannot be asked, and nobody may conclude from half of it.
        if (page.isMore && page.objects.length === 0) throw noAnswerOfS3("GET");
        isMore = page.isMore;
      }
    },
  };
}

/** `start-after` leaves out the name that it names: the last character of the first wanted one is taken away. */
const before = (name: string): string => name.slice(0, -1);

const text = (response: Response): Promise<string> => body(response.text());

/** The connection may break while the answer comes. */
async function body<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new DocumentStoreFailed("unreachable", { cause });
  }
}

/** The store's code, such as `NoSuchBucket`, and none of its text, which may repeat an address. */
async function refusalOf(
  response: Response,
): Promise<{ code: string; error: DocumentStoreFailed }> {
  const code = /<Code>(\w+)<\/Code>/.exec(await text(response))?.[1] ?? "";
  const { status } = response;
  const reason = status >= 500 || status === 429 ? "unreachable" : "refused";
  const cause = coded(`S3 answered ${status} ${code}`.trim(), code || `http_${status}`);
  return { code, error: new DocumentStoreFailed(reason, { cause }) };
}

/** An error whose code the log has: it has no message of any error. */
const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

/** Something that is no store answered, or one broke off. */
const noAnswerOfS3 = (method: string): DocumentStoreFailed =>
  new DocumentStoreFailed("refused", {
    cause: coded(`200 to ${method}, and not the answer of an object store`, "not_an_object_store"),
  });

/**
 * Reads a page of a list. Our own names have no character that XML escapes, so that nothing has to be undone. Throws
 * `DocumentStoreFailed` for anything but a whole list: what is not in it counts as lost.
 */
function readPage(xml: string): { objects: { key: string; at: Date }[]; isMore: boolean } {
  const field = (part: string, name: string) =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(part)?.[1];
  const isMore = field(xml, "IsTruncated");
  if (!/<ListBucketResult[ >].*<\/ListBucketResult>\s*$/s.test(xml) || !isMore)
    throw noAnswerOfS3("GET");
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, part = ""]) => {
    const key = field(part, "Key");
    const at = new Date(field(part, "LastModified") ?? "");
    if (!key || Number.isNaN(at.getTime())) throw noAnswerOfS3("GET");
    return { key, at };
  });
  return { objects, isMore: isMore === "true" };
}
