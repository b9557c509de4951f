import { data } from "@remix-run/node";

/**
 * The body of a form; a body that is none, whatever it claims to be, is the sender's fault: 400. So is a text with a NUL in it, which
 * PostgreSQL refuses: no field of a page can be given one.
 */
export async function readForm(request: Request): Promise<FormData> {
  // The error quotes the body.
  const form = await request.formData().catch(() => null);
  if (!form || hasNul(form)) throw data(null, { status: 400 });
  return form;
}

const hasNul = (form: FormData): boolean =>
  [...form].some(([name, value]) =>
    `${name}${typeof value === "string" ? value : ""}`.includes("\0"),
  );
