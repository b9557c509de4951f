import type { ExportedFile } from "../../modules/access/export-everything.ts";
import type { Ports } from "../../ports.ts";
import { zipResponse } from "./zip-response.ts";

/** An export as a download. Its name tells nothing of anybody's health. */
export function exportResponse(
  files: AsyncGenerator<ExportedFile>,
  { clock, logger }: Pick<Ports, "clock" | "logger">,
): Response {
  const day = clock.now().toISOString().slice(0, 10);
  return zipResponse(files, {
    fileName: `my-tests-${day}.zip`,
    onBroken: (err) => logger.warn({ err }, "a customer's download broke off"),
  });
}
