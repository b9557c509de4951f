import { type LoaderFunctionArgs, redirect } from "@remix-run/node";

/** The former address of the simulation page, which merchants may have kept. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await context.merchant(request);
  return redirect(`/app/simulation${new URL(request.url).search}`);
}
