import { Link } from "@remix-run/react";
import type { HomeView } from "./present-home.ts";

/** How many requests stand where, each a way to their orders. */
export function StageTiles({ tiles }: Pick<HomeView, "tiles">) {
  return (
    <ul className="pathway-tiles" aria-label="Tests by status">
      {tiles.map(({ stage, name, count, url }) => (
        <li key={stage}>
          <Link to={url} data-stage={stage} data-some={count > 0 || undefined}>
            <span>{name}</span>
            <strong>{new Intl.NumberFormat("en-AU").format(count)}</strong>
          </Link>
        </li>
      ))}
    </ul>
  );
}
