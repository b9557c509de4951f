import { arrangeResult } from "../../modules/access/arrange-values.ts";
import { changeSinceLast } from "../../modules/access/change-since.ts";
import type { ResultView } from "../../modules/access/open-result.ts";
import { presentAlert } from "../../modules/referrals/clinical-texts.ts";
import { flagBeside, flagOf, placeInRange } from "../../modules/referrals/range.ts";
import { wholePhones } from "../../platform/whole-phones.ts";

/**
 * A released result as `GET /api/customer/results/{id}` answers it (sandbox.md, sections 4 and 5). How it is read is told with
 * it, so that the account says the same as our own pages: what is unclear, how many values have which words, the words beside each, and
 * its place on the bar of its range.
 */
export function presentResult({ contact, ...view }: ResultView) {
  const { unclear, counts, isOneNumber, categories } = arrangeResult(view.categories, view, flagOf);
  const alert = presentAlert(view.alert, contact);
  // The interface knows actions with an address alone: a number without one is told with the text.
  const told = alert?.actions.filter(({ href }) => href === null).map(({ label }) => `${label}.`);
  return {
    ...view,
    // "Outside range: 0" would calm where the report alone has the values.
    summary: categories.length > 0 ? view.summary : null,
    reading: { unclear, counts, isOneNumber },
    alert: alert && {
      ...alert,
      text: wholePhones([alert.text, ...(told ?? [])].join(" ")),
      actions: alert.actions.flatMap(({ label, href }) =>
        href ? [{ label: wholePhones(label), href }] : [],
      ),
    },
    categories: categories.map((category) => ({
      ...category,
      biomarkers: category.biomarkers.map((biomarker) => ({
        ...biomarker,
        flag: flagBeside(biomarker, unclear !== null),
        placement: placeInRange(biomarker.value, {
          low: biomarker.rangeLow,
          high: biomarker.rangeHigh,
        }),
        change: changeSinceLast(biomarker, view),
        // The range of today is not the one of then: laboratories change theirs.
        history: biomarker.history.map((earlier) => ({
          ...earlier,
          flag: flagBeside({ ...earlier, rangeLow: null, rangeHigh: null }, earlier.isUnclear),
        })),
      })),
    })),
  };
}
