import { join } from "node:path";
import type { DocumentBodies, ObjectStoreName } from "../../modules/referrals/document.ts";
import type { StoreSettings } from "../../platform/env.ts";
import type { Logger } from "../../platform/logger.ts";
import { createDocumentBodies } from "./document-bodies.ts";
import { createFileStore } from "./file-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { createS3Store } from "./s3-store.ts";

/** The stores that the settings name. A folder is always one, since documents may lie there from before. */
export function openStores(env: StoreSettings): { files: ObjectStore; s3?: ObjectStore } {
  const files = createFileStore(filesFolder(env));
  const s3 = s3Of(env);
  return { files, ...(s3 ? { s3 } : {}) };
}

/** The folder of `files`. */
export const filesFolder = (env: StoreSettings): string =>
  env.PATHWAY_DOCUMENTS_DIR ?? join(env.PATHWAY_DATA_DIR, "documents");

/**
 * Opens the stores that the settings name. `databaseId` says by which id they know this database, `isUsed` whether any
 * document of it lies in one. Throws one sentence when `s3` is chosen and a setting of it is missing.
 */
export function openDocumentBodies(
  env: StoreSettings,
  {
    databaseId,
    isUsed,
    logger,
  }: {
    databaseId: () => Promise<string | null>;
    isUsed: (store: ObjectStoreName) => Promise<boolean>;
    logger: Logger;
  },
): DocumentBodies {
  const { PATHWAY_DOCUMENTS: chosen } = env;
  const stores = openStores(env);
  if (chosen === "s3" && !stores.s3)
    throw new Error(
      "PATHWAY_DOCUMENTS=s3 needs PATHWAY_S3_ENDPOINT, PATHWAY_S3_BUCKET, PATHWAY_S3_ACCESS_KEY_ID and PATHWAY_S3_SECRET_ACCESS_KEY.",
    );
  return createDocumentBodies({
    ...{ stores, databaseId, isUsed, logger },
    target: chosen === "database" ? null : chosen,
  });
}

function s3Of({
  PATHWAY_S3_ENDPOINT: endpoint,
  PATHWAY_S3_REGION: region,
  PATHWAY_S3_BUCKET: bucket,
  PATHWAY_S3_ACCESS_KEY_ID: accessKeyId,
  PATHWAY_S3_SECRET_ACCESS_KEY: secretAccessKey,
}: StoreSettings) {
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return null;
  return createS3Store({ endpoint, region, bucket, accessKeyId, secretAccessKey });
}
