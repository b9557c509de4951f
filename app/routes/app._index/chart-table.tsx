import { SHOWN_STAGES, STAGE_WORDS } from "../../modules/reports/stage-words.ts";
import { dayName } from "./day-name.ts";
import type { TrendsView } from "./present-home.ts";

/** The numbers behind the chart. */
export function ChartTable({ days }: Pick<TrendsView, "days">) {
  return (
    <details className="pathway-details">
      <summary>Show as a table</summary>
      <div className="pathway-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {SHOWN_STAGES.map((stage) => (
                <th key={stage} scope="col">
                  {STAGE_WORDS[stage].name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, counts }) => (
              <tr key={day}>
                <th scope="row">{dayName(day)}</th>
                {SHOWN_STAGES.map((stage) => (
                  <td key={stage}>{counts[stage]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
