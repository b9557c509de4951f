import { Link } from "@remix-run/react";
import type { HomeView } from "./present-home.ts";

/** How many orders stand where, each a way to them. */
export function StageTiles({ tiles }: Pick<HomeView, "tiles">) {
  return (
    <ul className="pathway-tiles" aria-label="Orders by status">
      {tiles.map(({ stage, name, count, isSome, url }) => (
        <li key={stage}>
          <Link to={url} data-stage={stage} data-some={isSome || undefined}>
            <span>{name}</span>
            <strong>{count}</strong>
          </Link>
        </li>
      ))}
    </ul>
  );
}
