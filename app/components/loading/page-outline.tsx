export { pageShape } from "./page-shape.ts";
export { PageSkeleton } from "./page-skeleton.tsx";
