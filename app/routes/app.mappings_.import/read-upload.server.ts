import {
  unstable_createMemoryUploadHandler as createMemoryUploadHandler,
  MaxPartSizeExceededError,
  unstable_parseMultipartFormData as parseMultipartFormData,
} from "@remix-run/node";
import { MAX_BYTES } from "../../modules/catalogue/read-file.ts";

export type Upload =
  | { kind: "file"; name: string; bytes: Uint8Array; environment: string }
  | { kind: "fault"; message: string };

/** Reads one file from a form, and no more of it than is allowed. */
export async function readUpload(request: Request): Promise<Upload> {
  const fault = (message: string): Upload => ({ kind: "fault", message });
  try {
    const form = await parseMultipartFormData(
      request,
      createMemoryUploadHandler({ maxPartSize: MAX_BYTES }),
    );
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
