import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { SavedNames } from "../../modules/access/saved-patients.ts";
import { monthsInWords } from "../../modules/kernel/words.ts";
import { fullName } from "../../modules/patients/person-name.ts";
import { Notice, type Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";

type Person = SavedNames["people"][number]["person"];

/** Somebody as a list names them: father and son may share a name. */
export const savedName = (person: NonNullable<Person>): string =>
  words("saved_people.one", { name: fullName(person), year: person.dob.slice(0, 4) });

/** A patient form's choice of people whose details are here already. */
export interface SavedChoice {
  /** Each with the address of the form filled in with their details. */
  people: { id: string; name: string; href: string }[];
  /** The one whose details the form was filled in with. */
  filledFrom: string | null;
  /** Whether these details are to be kept, too, and for how long; null without an account. */
  keeping: { retentionMonths: number | null; isKept: boolean } | null;
}

/** Fills the form in by a link each, so that it works without script. */
export function ChooseSaved({ saved: { people, filledFrom } }: { saved: SavedChoice }) {
  return (
    <>
      {filledFrom && (
        <Notice heading={words("saved_people.filled", { name: filledFrom })}>
          <p>{words("saved_people.filled_next")}</p>
        </Notice>
      )}
      {people.length > 0 && (
        <nav className="pw-card" aria-labelledby="use-saved">
          <h2 id="use-saved">{words("saved_people.use")}</h2>
          <p>{words("saved_people.use_next")}</p>
          <ul className="pw-plain">
            {people.map(({ id, name, href }) => (
              <li key={id}>
                <a className="pw-way" href={href}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  );
}

/** Asks whether the details are to be kept for the next test. Never ticked beforehand. */
export function KeepDetails({
  keeping: { isKept, retentionMonths },
}: {
  keeping: NonNullable<SavedChoice["keeping"]>;
}) {
  return (
    <div className="pw-field">
      <div className="pw-tick">
        <input
          type="checkbox"
          id="keep"
          name="keep"
          value="yes"
          defaultChecked={isKept}
          aria-describedby="keep-hint"
        />
        <label htmlFor="keep">{words("saved_people.keep")}</label>
      </div>
      <p className="pw-quiet" id="keep-hint">
        {words("saved_people.keep_hint")} {howLong(retentionMonths)}
      </p>
    </div>
  );
}

const nameOf = (person: Person): string =>
  person ? savedName(person) : words("saved_people.unread");

const howLong = (retentionMonths: number | null): string =>
  retentionMonths === null
    ? words("saved_people.kept_on")
    : words("saved_people.kept_for", { time: monthsInWords(retentionMonths) });

/** The people whose details a signed-in customer keeps, each with the way to delete them. */
export const savedPatientsPage = (
  { people, retentionMonths }: SavedNames,
  { base }: PageContext,
): Page => ({
  title: words("saved_people.heading"),
  status: 200,
  content: (
    <>
      <p>
        <a className="pw-way" href={base || "/"}>
          {words("and_here.back")}
        </a>
      </p>
      <p>{words(people.length === 0 ? "saved_people.nobody" : "saved_people.what")}</p>
      {people.length > 0 && <p>{howLong(retentionMonths)}</p>}
      {people.map(({ id, person }) => (
        <section key={id} className="pw-card" aria-labelledby={`saved-${id}`}>
          <h2 id={`saved-${id}`}>{nameOf(person)}</h2>
          {!person && <p>{words("saved_people.unread_next")}</p>}
          <div className="pw-actions">
            <a className="pw-button" href={`${base}/saved/${id}/delete`}>
              {words("saved_people.delete")}
              <span className="pw-hidden">: {nameOf(person)}</span>
            </a>
          </div>
        </section>
      ))}
      {people.length > 0 && <p className="pw-quiet">{words("saved_people.change")}</p>}
    </>
  ),
});

/** Says what deleting somebody's saved details does, before it is done. */
export const deleteSavedPage = (person: Person, { base, formToken }: PageContext): Page => ({
  title: person
    ? words("saved_people.delete_heading", { name: savedName(person) })
    : words("saved_people.delete_unread_heading"),
  tab: words("and_here.tab.delete_saved"),
  status: 200,
  content: (
    <form method="post">
      <input type="hidden" name={FORM_TOKEN} value={formToken} />
      <p>{words("saved_people.delete_next")}</p>
      <div className="pw-actions">
        <button type="submit" className="pw-first">
          {words("saved_people.delete_confirm")}
        </button>
        <a className="pw-button" href={`${base}/saved`}>
          {words("saved_people.delete_stay")}
        </a>
      </div>
    </form>
  ),
});
