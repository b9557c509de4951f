import type { IncomingMessage } from "node:http";

/** The body of a response, or null as soon as it proves larger than `maxBytes`. Rejects when it breaks off. */
export async function readLimited(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | null> {
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) {
    response.destroy();
    return null;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the response.
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
