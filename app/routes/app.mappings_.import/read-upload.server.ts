import {
  unstable_createMemoryUploadHandler as createMemoryUploadHandler,
  MaxPartSizeExceededError,
  unstable_parseMultipartFormData as parseMultipartFormData,
  type UploadHandler,
} from "@remix-run/node";
import { MAX_BYTES } from "../../modules/catalogue/read-file.ts";
import { MAX_UPLOAD_PARTS } from "../../web/limits.ts";

export type Upload =
  | { kind: "file"; name: string; bytes: Uint8Array; environment: string }
  | { kind: "fault"; message: string };

/** Longer than any value of the form beside its file. */
const MAX_FIELD_BYTES = 1_024;

/** Reads one file from a form, and no more of it than is allowed: the request's length is limited before (app/body-limit.ts). */
export async function readUpload(request: Request): Promise<Upload> {
  const fault = (message: string): Upload => ({ kind: "fault", message });
  try {
    const form = await parseMultipartFormData(request, uploadHandler());
    const file = form.get("file");
    if (!(file instanceof File) || file.name === "") return fault("Choose a CSV file first.");
    return {
      kind: "file",
      name: file.name.replace(/\p{Cc}/gu, "").slice(0, 200),
      bytes: new Uint8Array(await file.arrayBuffer()),
      environment: String(form.get("environment") ?? ""),
    };
  } catch (error) {
    return error instanceof MaxPartSizeExceededError
      ? fault("The file is larger than 5 MB. Split it into smaller files.")
      : fault("The upload was interrupted. Try again.");
  }
}

/** Takes one file and a few short values. Each part takes memory, so the form ends with the first that is too many. */
function uploadHandler(): UploadHandler {
  const ofFile = createMemoryUploadHandler({ maxPartSize: MAX_BYTES });
  const ofField = createMemoryUploadHandler({ maxPartSize: MAX_FIELD_BYTES });
  let parts = 0;
  let files = 0;
  return (part) => {
    const isFile = part.filename !== undefined;
    if (++parts > MAX_UPLOAD_PARTS || (isFile && ++files > 1)) throw new TooManyParts();
    return isFile ? ofFile(part) : ofField(part);
  };
}

class TooManyParts extends Error {}
