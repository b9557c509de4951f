import { createDocumentBodies } from "../../app/clients/documents/document-bodies.ts";
import { createLogger } from "../../app/platform/logger.ts";

/** PDFs lie in the database, as without a setting. */
export const IN_DATABASE = createDocumentBodies({
  target: null,
  stores: {},
  databaseId: async () => null,
  isUsed: async () => false,
  logger: createLogger("silent"),
});
