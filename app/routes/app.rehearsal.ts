import { type LoaderFunctionArgs, redirect } from "@remix-run/node";

/** The former address of the simulation page, which merchants may have kept. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  redirect(`/app/simulation${new URL(request.url).search}`);
