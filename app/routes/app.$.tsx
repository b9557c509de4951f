import { data, type LoaderFunctionArgs } from "@remix-run/node";

/** An address of the app that leads nowhere: said inside the frame, with the navigation and a way back. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await context.merchant(request);
  throw data(null, { status: 404 });
}

export default function Nowhere() {
  return null;
}
