import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet } from "@remix-run/react";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await context.merchant(request);
  return null;
}

export default function AppLayout() {
  return <Outlet />;
}
