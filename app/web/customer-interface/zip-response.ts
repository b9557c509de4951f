import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/**
 * Files as one archive, each put in when its turn comes, so that no more than one PDF is in memory. `onBroken` is told why
 * a download broke off: the reader's own program sees an archive without an end.
 */
export function zipResponse(
  files: AsyncGenerator<{ name: string; content: Buffer }>,
  { fileName, onBroken }: { fileName: string; onBroken: (error: unknown) => void },
): Response {
  let archive: Zip;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      archive = new Zip((error, chunk, isLast) => {
        if (error) throw error;
        controller.enqueue(chunk);
        if (isLast) controller.close();
      });
    },
    async pull() {
      try {
        const { value, done } = await files.next();
        if (done) return archive.end();
        // PDFs are compressed already.
        const { name, content } = value;
        const file = name.endsWith(".pdf") ? new ZipPassThrough(name) : new ZipDeflate(name);
        archive.add(file);
        file.push(content, true);
      } catch (error) {
        onBroken(error);
        throw error;
      }
    },
    async cancel() {
      await files.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
  });
}
