import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from "node:zlib";

type Unpack = (packed: Buffer, options: Pick<ZlibOptions, "maxOutputLength">) => Promise<Buffer>;

const UNPACK: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/**
 * A body as it was before its `content-encoding`. None is asked for, and something on the way may pack all the same. Rejects when it
 * cannot be unpacked, or is longer then than `maxOutputLength`.
 */
export async function unpacked(
  body: Buffer,
  encoding: string | undefined,
  maxOutputLength: number,
): Promise<Buffer> {
  const unpack = UNPACK.get(encoding?.trim().toLowerCase() ?? "");
  return unpack && body.length > 0 ? unpack(body, { maxOutputLength }) : body;
}
