import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { ListedConsent } from "../../modules/access/list-consents.ts";
import type { Page } from "./page.tsx";
import type { PageContext } from "./page-context.ts";
import { longMoment } from "./show-date.ts";

/** Each consent with the very words that were shown, so that nobody has to remember them. */
export const agreedPage = (consents: ListedConsent[], { base, timeZone }: PageContext): Page => ({
  title: words("agreed.heading"),
  status: 200,
  content: (
    <>
      <p>
        <a className="pw-way" href={`${base}/data`}>
          {words("agreed.back")}
        </a>
      </p>
      {consents.length === 0 && <p>{words("agreed.nothing")}</p>}
      {consents.map(({ requestId, title, version, givenBy, givenAt, wording }) => {
        const id = `${requestId}-${givenAt.getTime()}`;
        return (
          <section key={id} className="pw-card" aria-labelledby={`${id} ${id}-when`}>
            <h2 id={id}>{title}</h2>
            <p className="pw-quiet" id={`${id}-when`}>
              {words(`agreed.by_${givenBy}`, { date: longMoment(givenAt, timeZone), version })}
            </p>
            {wording.slice(0, -1).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            <p>
              <strong>{words("agreed.ticked", { sentence: wording.at(-1) ?? "" })}</strong>
            </p>
          </section>
        );
      })}
    </>
  ),
});
