import { SHOWN_STAGES, STAGE_WORDS } from "../../modules/reports/stage-words.ts";
import { dayName } from "./day-name.ts";
import type { TrendsView } from "./present-home.ts";

const WIDTH = 700;
const HEIGHT = 180;
const AXIS = 24;
const LEFT = 28;

/** Stacked bars, one for each day. The table beside it says the same to who cannot see it. */
export function RequestChart({ days, total }: { days: TrendsView["days"]; total: number }) {
  const sums = days.map(({ counts }) => SHOWN_STAGES.reduce((sum, one) => sum + counts[one], 0));
  const top = niceTop(Math.max(...sums));
  const plot = HEIGHT - AXIS;
  const step = (WIDTH - LEFT) / days.length;
  const barWidth = Math.min(32, step * 0.6);
  const yOf = (count: number) => plot - (count / top) * (plot - 8);
  return (
    <svg
      className="pathway-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${total} tests in the last ${days.length} days. The table below has the numbers.`}
    >
      {[0, top / 2, top].map((count) => (
        <g key={count}>
          <line x1={LEFT} x2={WIDTH} y1={yOf(count)} y2={yOf(count)} />
          <text x={LEFT - 8} y={yOf(count) + 4} textAnchor="end">
            {count}
          </text>
        </g>
      ))}
      {days.map(({ day, counts }, index) => {
        const x = LEFT + step * index + (step - barWidth) / 2;
        let below = 0;
        return (
          <g key={day}>
            {SHOWN_STAGES.toReversed().map((stage) => {
              const from = below;
              below += counts[stage];
              if (counts[stage] === 0) return null;
              const y = yOf(below);
              return (
                <rect
                  key={stage}
                  data-stage={stage}
                  x={x}
                  y={y}
                  width={barWidth}
                  height={yOf(from) - y}
                >
                  <title>{`${dayName(day)}: ${counts[stage]} ${STAGE_WORDS[stage].name.toLowerCase()}`}</title>
                </rect>
              );
            })}
            {(days.length - 1 - index) % 3 === 0 && (
              <text x={x + barWidth / 2} y={HEIGHT - 6} textAnchor="middle">
                {dayName(day)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** The smallest even number of a handy size that is not below a count. */
function niceTop(count: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(count, 1)));
  const top = [1, 2, 4, 6, 8, 10].map((one) => one * magnitude).find((one) => one >= count);
  return Math.max(2, top ?? 10 * magnitude);
}
