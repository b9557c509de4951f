/** The parts of a mail that an inbox shows. */
export interface ReadMail {
  subject: string;
  text: string;
  html: string | null;
}

/**
 * Reads a mail as mail libraries compose them: folded headers, encoded words, multipart bodies, base64 and
 * quoted-printable in UTF-8. Attachments are left out.
 */
export function readMail(source: string): ReadMail {
  const mail = readPart(source);
  return {
    subject: decodeWords(mail.headers.get("subject") ?? ""),
    text: "",
    html: null,
    ...bodies(mail),
  };
}

interface Part {
  headers: Map<string, string>;
  body: string;
}

function readPart(source: string): Part {
  const [head = "", ...rest] = source.split(/\r?\n\r?\n/);
  const body = source.slice(head.length).replace(/^(\r?\n){2}/, "");
  const headers = new Map(
    head
      .replaceAll(/\r?\n[ \t]+/g, " ")
      .split(/\r?\n/)
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  return { headers, body: rest.length === 0 ? "" : body };
}

function bodies(part: Part): { text?: string; html?: string } {
  const type = part.headers.get("content-type") ?? "text/plain";
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary !== undefined) {
    // The line break before a boundary belongs to the boundary; the first part of a kind wins.
    const pieces = part.body
      .split(`--${boundary}`)
      .slice(1)
      .filter((piece) => !piece.startsWith("--"))
      .map((piece) => bodies(readPart(piece.replace(/^\r?\n/, "").replace(/\r?\n$/, ""))));
    return Object.assign({}, ...pieces.reverse());
  }
  if (/^attachment/i.test(part.headers.get("content-disposition") ?? "")) return {};
  const text = decodeBody(part);
  if (/^text\/html/i.test(type)) return { html: text };
  return /^text\/plain/i.test(type) ? { text } : {};
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase() ?? "7bit";
  const decoded =
    encoding === "base64"
      ? Buffer.from(body, "base64").toString("utf8")
      : encoding === "quoted-printable"
        ? decodeQuotedPrintable(body.replaceAll(/=\r?\n/g, ""))
        : body;
  return decoded.replaceAll("\r\n", "\n").replace(/\n+$/, "\n");
}

const decodeQuotedPrintable = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    "latin1",
  ).toString("utf8");

/** `=?UTF-8?Q?Your_form?=` and the base64 form; neighbours join without the space between them. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/(\?=)\s+(=\?)/g, "$1$2")
    .replaceAll(/=\?[^?]+\?([QB])\?([^?]*)\?=/gi, (_match, encoding: string, word: string) =>
      encoding.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString("utf8")
        : decodeQuotedPrintable(word.replaceAll("_", " ")),
    );
}
