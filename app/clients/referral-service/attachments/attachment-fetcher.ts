import type { IncomingMessage } from "node:http";
import type { AttachmentFetcher } from "../../../modules/referrals/document.ts";
import { errorCode } from "../../../platform/error-code.ts";
import { ReferralServiceError } from "../../../platform/errors.ts";
import { inStep } from "../../../platform/traces.ts";
import { unpacked } from "../http/unpacked.ts";
import { parseAllowedHosts, placeOf } from "./allowed-hosts.ts";
import { openResponse } from "./open-response.ts";
import { readLimited } from "./read-limited.ts";
import type { ResolveHost } from "./vetted-lookup.ts";

type AttachmentDownload = Awaited<ReturnType<AttachmentFetcher["download"]>>;

export interface AttachmentFetcherOptions {
  /**
   * "files.example.com" allows https on port 443 of that very name, "host:port" that port, in http too. An
   * address is reached only if it is listed itself ("127.0.0.1:4010"); a name never leads to a private one.
   */
  allowedHosts: readonly string[];
  /** Largest file; 20 MB by default. */
  maxBytes?: number;
  /** For the whole download, redirects included; 30,000 by default. */
  timeoutMs?: number;
  /** Looks a name up; the operating system by default. */
  resolve?: ResolveHost;
}

const MAX_REDIRECTS = 3;
const TOO_LARGE = { kind: "refused", reason: "file is too large", status: 200 } as const;
const EXPIRED: ReadonlySet<number> = new Set([401, 403, 404, 410]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads PDFs from signed addresses (interface §2.1 referralAttachment, §2.2 resultAttachment). An address
 * comes from outside, so it decides nothing: host, resolved address, redirects, size and content are checked
 * here. Neither errors nor reasons repeat an address, for it opens the file to whoever reads it.
 */
export function createAttachmentFetcher(options: AttachmentFetcherOptions): AttachmentFetcher {
  const allowed = parseAllowedHosts(options.allowedHosts);
  const { maxBytes = 20 * 1024 * 1024, timeoutMs = 30_000, resolve } = options;

  async function follow(first: string, signal: AbortSignal): Promise<AttachmentDownload> {
    let url = URL.parse(first);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const objection = url === null ? "not an address" : allowed.objectionTo(url);
      if (url === null || objection) return refusedPlace(objection ?? "not an address", url);
      const response = await openResponse({ url, signal, resolve });
      const status = response.statusCode ?? 0;
      if (status === 200) {
        const bytes = await fileOf(response, maxBytes);
        return contentOf(bytes, isLengthTold(response)) ?? TOO_LARGE;
      }
      response.destroy();
      if (!REDIRECTS.has(status)) return withoutContent(status);
      url = URL.parse(response.headers.location ?? "", url);
    }
    return { kind: "refused", reason: "too many redirects" };
  }

  async function fetchPdf(address: string): Promise<AttachmentDownload> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await follow(address, signal);
    } catch (error) {
      if (error instanceof ReferralServiceError) throw error;
      const failure = signal.aborted ? "timeout" : "connection";
      throw new ReferralServiceError(failure, "the file could not be downloaded", {
        cause: error,
      });
    }
  }

  return {
    download: (address) => inStep("service download", { kind: "client" }, () => fetchPdf(address)),
  };
}

/**
 * What stands before it moves nothing that a reader looks for: the start of a PDF may be anywhere in its first 1024 bytes. More
 * than a byte order mark and empty space is another kind of file that speaks of one.
 */
const PDF_START = /^(\xef\xbb\xbf)?[\s\0]*%PDF-/;
const PDF_END = "%%EOF";
const LOOKED_AT = 1024;

/**
 * The file of a response; null when it is too large. A host may give what it keeps packed, whatever was asked for. A body that
 * is a PDF already was unpacked on the way.
 */
async function fileOf(response: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const bytes = await readLimited(response, maxBytes);
  if (bytes === null || isPdf(bytes)) return bytes;
  try {
    return await unpacked(bytes, response.headers["content-encoding"], maxBytes);
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") return null;
    throw error;
  }
}

const isPdf = (bytes: Buffer): boolean => PDF_START.test(bytes.toString("latin1", 0, LOOKED_AT));

/** Without a length, in one piece or in chunks, the end of the connection is the end of the file: also one that breaks. */
const isLengthTold = ({ headers }: IncomingMessage): boolean =>
  "content-length" in headers || "transfer-encoding" in headers;

function contentOf(bytes: Buffer | null, isLengthKnown: boolean): AttachmentDownload | null {
  if (bytes === null) return null;
  if (!isPdf(bytes)) return { kind: "not_pdf" };
  const isWhole = isLengthKnown || bytes.subarray(-LOOKED_AT).includes(PDF_END);
  if (!isWhole) throw new ReferralServiceError("connection", "the file broke off");
  return { kind: "pdf", bytes };
}

function withoutContent(status: number): AttachmentDownload {
  if (EXPIRED.has(status)) return { kind: "expired", reason: "address has expired", status };
  const message = `the file's host answered ${status}`;
  if (status === 429) throw new ReferralServiceError("rate_limited", message, { status });
  if (status === 408 || status >= 500)
    throw new ReferralServiceError("server", message, { status });
  return { kind: "gone", reason: message, status };
}

function refusedPlace(reason: string, url: URL | null): AttachmentDownload {
  return { kind: "refused", reason, host: url === null ? "" : placeOf(url) };
}
