/** Letters that Unicode does not take apart into a plain one and a mark. */
const PLAIN: Record<string, string> = {
  ...{ Æ: "Ae", æ: "ae", Œ: "Oe", œ: "oe", ß: "ss", ẞ: "SS", Þ: "Th", þ: "th" },
  ...{ Đ: "D", đ: "d", Ð: "D", ð: "d", Ħ: "H", ħ: "h", Ł: "L", ł: "l", Ø: "O", ø: "o", ı: "i" },
};

/** The name for a browser that reads ASCII only; what has no plain form is left out. */
function plainName(fileName: string): string {
  const spelled = [...fileName].map((sign) => PLAIN[sign] ?? sign).join("");
  return spelled
    .normalize("NFKD")
    .replace(/[^\w.-]/g, "")
    .replace(/-{2,}/g, "-");
}

/** Writes the header that names a file for the browser's disk, whatever its letters (RFC 6266, RFC 8187). */
export function fileDisposition(kind: "inline" | "attachment", fileName: string): string {
  const plain = plainName(fileName);
  const header = `${kind}; filename="${plain}"`;
  if (plain === fileName) return header;
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${header}; filename*=UTF-8''${encoded}`;
}
