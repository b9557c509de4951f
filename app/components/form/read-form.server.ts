import { data } from "@remix-run/node";

/** The body of a form; a body that is none, whatever it claims to be, is the sender's fault: 400. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    // The error quotes the body.
    throw data(null, { status: 400 });
  }
}
