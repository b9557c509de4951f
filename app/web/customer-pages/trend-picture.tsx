import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { EarlierValue } from "../../modules/access/result-history.ts";
import { numberIn } from "../../modules/referrals/range.ts";
import { monthOf } from "./show-date.ts";
import { PICTURE, type TrendPoint, trendLine } from "./trend-line.ts";

const INK = "var(--ink)";
const QUIET = "var(--quiet)";

interface Props {
  id: string;
  name: string;
  /** Oldest first; this result's own is the last. */
  values: EarlierValue[];
  range: { low: number | null; high: number | null };
  /** The expected range in words; null without one. */
  expected: string | null;
  timeZone: string;
}

/** Words for what the pictures of these values mean, once for all of them; null where none is drawn. */
export function trendLegend(
  trends: { values: EarlierValue[]; range: Props["range"] }[],
): string | null {
  const drawn = trends.flatMap(({ values, range }) => trendLine(values, range) ?? []);
  if (drawn.length === 0) return null;
  return words(drawn.some(({ band }) => band) ? "trend.legend" : "trend.legend_no_range");
}

/**
 * A line through a person's values of one kind, where at least two are numbers. What it shows is told by shape and
 * number, not by colour: a filled diamond was flagged, an open circle was not. Its text tells all of it, and the
 * table that follows stays.
 */
export function TrendPicture({ id, name, values, range, expected, timeZone }: Props) {
  const line = trendLine(values, range);
  if (!line) return null;
  const { points, band } = line;
  const { width, height, left, right } = PICTURE;
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg
      className="pw-trend"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby={`t-${id}`}
    >
      <title id={`t-${id}`}>{textOf({ name, values, expected, timeZone })}</title>
      {band && (
        <>
          <rect
            x={left - 18}
            y={band.top}
            width={width - left - right + 36}
            height={band.bottom - band.top}
            fill="var(--band)"
          />
          {band.edges.map((y) => (
            <line
              key={y}
              x1={left - 18}
              x2={width - right + 18}
              y1={y}
              y2={y}
              stroke={QUIET}
              strokeDasharray="2 3"
            />
          ))}
        </>
      )}
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
        fill="none"
        stroke={INK}
        strokeWidth="1.5"
      />
      {points.map((point) => (
        <Point key={point.x} point={point} />
      ))}
      {first && <DateLabel point={first} anchor="start" x={left - 18} timeZone={timeZone} />}
      {last && <DateLabel point={last} anchor="end" x={width - right + 18} timeZone={timeZone} />}
    </svg>
  );
}

function Point({ point: { x, y, label, labelBelow, isAbnormal } }: { point: TrendPoint }) {
  return (
    <>
      {isAbnormal ? (
        <path d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`} fill={INK} />
      ) : (
        <circle cx={x} cy={y} r="4" fill="var(--paper)" stroke={INK} strokeWidth="2" />
      )}
      <text
        x={x}
        y={labelBelow ? y + 19 : y - 10}
        textAnchor="middle"
        fontSize="14"
        fontWeight={isAbnormal ? 700 : 400}
        fill={INK}
        stroke="var(--paper)"
        strokeWidth="3"
        paintOrder="stroke"
      >
        {label}
      </text>
    </>
  );
}

function DateLabel({
  point: { date },
  anchor,
  x,
  timeZone,
}: {
  point: TrendPoint;
  anchor: "start" | "end";
  x: number;
  timeZone: string;
}) {
  return date ? (
    <text x={x} y={PICTURE.height - 4} textAnchor={anchor} fontSize="14" fill={QUIET}>
      {monthOf(date, timeZone)}
    </text>
  ) : null;
}

/** The whole picture for somebody who hears it. */
function textOf({
  name,
  values,
  expected,
  timeZone,
}: Pick<Props, "name" | "values" | "expected" | "timeZone">): string {
  const spoken = values
    .filter(({ value }) => numberIn(value) !== null)
    .map(({ date, value, isAbnormal }) => {
      const moment = Number.isNaN(Date.parse(date)) ? "" : monthOf(date, timeZone);
      const flag = isAbnormal ? words("trend.spoken_flag") : "";
      return [moment, `${value.trim()}${flag}`].filter(Boolean).join(" ");
    });
  return words("trend.picture", { name, values: spoken.join(", ") }).concat(
    expected ? ` ${words("range.expected", { range: expected })}.` : "",
  );
}
