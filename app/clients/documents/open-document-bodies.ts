import { join } from "node:path";
import type { DocumentBodies } from "../../modules/referrals/document.ts";
import type { Environment } from "../../platform/env.ts";
import type { Logger } from "../../platform/logger.ts";
import { createDocumentBodies } from "./document-bodies.ts";
import { createFileStore } from "./file-store.ts";
import { createS3Store } from "./s3-store.ts";

type DocumentSettings = Pick<
  Environment,
  | "PATHWAY_DATA_DIR"
  | "PATHWAY_DOCUMENTS"
  | "PATHWAY_DOCUMENTS_DIR"
  | "PATHWAY_S3_ENDPOINT"
  | "PATHWAY_S3_REGION"
  | "PATHWAY_S3_BUCKET"
  | "PATHWAY_S3_ACCESS_KEY_ID"
  | "PATHWAY_S3_SECRET_ACCESS_KEY"
>;

/**
 * The stores that the settings name. A folder is always one, since documents may lie there from before. Throws one sentence when
 * `s3` is chosen and a setting of it is missing.
 */
export function openDocumentBodies(env: DocumentSettings, logger: Logger): DocumentBodies {
  const { PATHWAY_DOCUMENTS: chosen } = env;
  const files = createFileStore(
    env.PATHWAY_DOCUMENTS_DIR ?? join(env.PATHWAY_DATA_DIR, "documents"),
  );
  const s3 = s3Of(env);
  if (chosen === "s3" && !s3)
    throw new Error(
      "PATHWAY_DOCUMENTS=s3 needs PATHWAY_S3_ENDPOINT, PATHWAY_S3_BUCKET, PATHWAY_S3_ACCESS_KEY_ID and PATHWAY_S3_SECRET_ACCESS_KEY.",
    );
  return createDocumentBodies({
    target: chosen === "database" ? null : chosen,
    stores: { files, ...(s3 ? { s3 } : {}) },
    logger,
  });
}

function s3Of({
  PATHWAY_S3_ENDPOINT: endpoint,
  PATHWAY_S3_REGION: region,
  PATHWAY_S3_BUCKET: bucket,
  PATHWAY_S3_ACCESS_KEY_ID: accessKeyId,
  PATHWAY_S3_SECRET_ACCESS_KEY: secretAccessKey,
}: DocumentSettings) {
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return null;
  return createS3Store({ endpoint, region, bucket, accessKeyId, secretAccessKey });
}
