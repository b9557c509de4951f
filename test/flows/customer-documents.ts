import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";
import type { TestWorld } from "../harness/index.ts";

const address = ({ line }: TestWorld, documentId: string) =>
  `${line.app_url}/api/customer/documents/${documentId}`;

/** GET of a document as this customer; as nobody when `customerId` is null. */
export async function fetchDocument(
  world: TestWorld,
  documentId: string,
  customerId: string | null,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (customerId !== null)
    headers.authorization = `Bearer ${await world.store.customerToken(customerId)}`;
  return fetch(address(world, documentId), { headers });
}

/** POST that asks for an address which opens the document once: {"url"}. */
export async function askForTicket(
  world: TestWorld,
  documentId: string,
  customerId: string,
): Promise<{ status: number; url: string }> {
  const response = await fetch(`${address(world, documentId)}/open`, {
    method: "POST",
    headers: { authorization: `Bearer ${await world.store.customerToken(customerId)}` },
  });
  const body = z.object({ url: z.url().default("") }).parse(await response.json());
  return { status: response.status, url: body.url };
}

/** All words of a PDF, as a reader shows them. Rejects when the bytes are no PDF. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const pdf = await loading.promise;
  try {
    const pages: string[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      pages.push(items.map((item) => ("str" in item ? item.str : "")).join(" "));
    }
    return pages.join("\n");
  } finally {
    await loading.destroy();
  }
}
