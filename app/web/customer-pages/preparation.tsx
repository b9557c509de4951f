import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { PresentedRequest } from "../customer-interface/present-request.ts";

/** The steps before the collection, the things to bring and where to go, once the form is there; before, that there are steps. */
export function Preparation({
  unit: { preparation, needsMedicare },
}: {
  unit: Pick<PresentedRequest, "preparation" | "needsMedicare">;
}) {
  if (!preparation) return null;
  if (preparation.when === "later") return <p>{words("prepare.later")}</p>;
  const { steps, finder } = preparation;
  return (
    <>
      {steps && <h3>{words("prepare.heading")}</h3>}
      {steps && <p className="pw-lines">{steps}</p>}
      <h3>{words("prepare.bring")}</h3>
      <ul className="pw-list">
        <li>{words("prepare.bring_form")}</li>
        <li>{words("prepare.bring_id")}</li>
        {needsMedicare && <li>{words("prepare.bring_card")}</li>}
      </ul>
      {finder && (
        <>
          <h3>{words("prepare.where")}</h3>
          <p>
            <a className="pw-call" href={finder.url} rel="noopener noreferrer">
              {words("prepare.finder", { name: finder.name })}
            </a>
          </p>
        </>
      )}
    </>
  );
}
