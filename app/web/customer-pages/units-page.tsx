/** Long because it is one page: a card for each test, with each of its parts. */
import { detailsProgress } from "../../../extensions/shared/order-groups.ts";
import { groupsOf, standApart } from "../../../extensions/shared/unit-groups.ts";
import { unitLine, unitName } from "../../../extensions/shared/unit-name.ts";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { ReferralPart } from "../../modules/referrals/request.ts";
import type { PresentedRequest } from "../customer-interface/present-request.ts";
import { LinkedPhones, Notice, type Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";
import { Preparation } from "./preparation.tsx";

/** The outcomes of an edit of details after their test was ordered. */
export const SAVED_EDITS = ["corrected", "unchanged"] as const;
export type SavedEdit = (typeof SAVED_EDITS)[number];

/** States in which no form comes any more. The page that told of saved details may be loaded again weeks later. */
const PAST_FORM: ReadonlySet<PresentedRequest["state"]> = new Set([
  ...(["cancelled", "partial_results", "in_review", "results_ready", "results_hidden"] as const),
]);

/** Every unit of the visitor's: where it stands, what to do next, and the way there. */
export function unitsPage(
  units: PresentedRequest[],
  context: PageContext,
  {
    saved = null,
    edit = null,
    isInvitationCancelled = false,
    next = null,
    hasAccount = false,
  }: {
    saved?: string | null;
    edit?: SavedEdit | null;
    /** The visitor cancelled one just now. */
    isInvitationCancelled?: boolean;
    next?: string | null;
    hasAccount?: boolean;
  } = {},
): Page {
  const cardsOf = (some: PresentedRequest[]) =>
    some.map((unit) => <Unit key={unit.id} unit={unit} context={context} />);
  return {
    title: words(units.length === 1 ? "and_here.test" : "and_here.tests"),
    status: 200,
    content: (
      <>
        {saved !== null && !units.every(({ state }) => PAST_FORM.has(state)) && (
          <Notice focused heading={words(`form.${edit ?? "saved"}`)}>
            {(edit || units.some(({ state }) => state === "being_prepared")) && (
              <p>{words(`form.${edit ?? "saved"}_next`)}</p>
            )}
            {!edit && units.some(isOneOfSeveral) && <p>{words("and_here.several_saved")}</p>}
            {(saved === "kept" || saved === "full") && <p>{words(`saved_people.${saved}`)}</p>}
          </Notice>
        )}
        {isInvitationCancelled && (
          <Notice heading={words("and_here.invitation_cancelled")}>
            <p>{words("and_here.invitation_cancelled_next")}</p>
          </Notice>
        )}
        {units.length === 0 && (
          <Notice heading={words("and_here.nothing")}>
            <p>{words("and_here.nothing_next")}</p>
          </Notice>
        )}
        {cardsOf(units.filter(({ isForToday }) => isForToday))}
        <Progress units={units} context={context} />
        {cardsOf(units.filter(({ isForToday }) => !isForToday))}
        {next && (
          <p>
            <a className="pw-way" href={`${context.base}?after=${next}`}>
              {words("and_here.older")}
            </a>
          </p>
        )}
        {hasAccount && (
          <p>
            <a className="pw-way" href={`${context.base}/saved`}>
              {words("saved_people.heading")}
            </a>
          </p>
        )}
        {units.length > 0 && (
          <p>
            <a className="pw-way" href={`${context.base}/data`}>
              {words("and_here.data")}
            </a>
          </p>
        )}
      </>
    ),
  };
}

/** How many tests still need details, of orders that have several, and the way to the first of them. */
function Progress({ units, context }: { units: PresentedRequest[]; context: PageContext }) {
  const { needed, of, next } = detailsProgress(units);
  if (needed === 0 || of === 1) return null;
  const first = next.find(({ access }) => access.details === "granted");
  return (
    <section className="pw-card" aria-labelledby="details-needed">
      <h2 id="details-needed">{words("unit.needed", { number: needed, of })}</h2>
      <p>{words("and_here.needed_next")}</p>
      {first && (
        <div className="pw-actions">
          <Go
            first
            to={`${context.base}/requests/${first.id}/details`}
            name="and_here.give_next"
            title={unitName(first, words)}
          />
        </div>
      )}
    </section>
  );
}

function Unit({ unit, context }: { unit: PresentedRequest; context: PageContext }) {
  const { id, title, state, orderName, isForToday, needsDecision } = unit;
  const line = unitLine(unit, words);
  const urgent = isForToday || state === "awaiting_details" || state === "needs_support";
  const groups = unit.handOver ? [] : groupsOf(unit);
  const apart = standApart(groups);
  const name = state === "handed_over" ? "hand_over.state" : stateName(state, needsDecision);
  return (
    <section className="pw-card" aria-labelledby={line ? `unit-${id} who-${id}` : `unit-${id}`}>
      <div className="pw-top">
        <h2 id={`unit-${id}`}>{title}</h2>
        <span className={urgent ? "pw-badge pw-bad" : "pw-badge"}>{words(name)}</span>
      </div>
      {line && (
        <p id={`who-${id}`}>
          <strong>{line}</strong>
        </p>
      )}
      <p className="pw-quiet">{words("page.order", { name: orderName })}</p>
      {isOneOfSeveral(unit) && <p className="pw-quiet">{words("and_here.several")}</p>}
      <Steps unit={unit} />
      {!apart && <NextStep step={unit.nextStep} phones={unit.phones} isNow={isForToday} />}
      <Preparation unit={unit} />
      {groups.map((group) => (
        <Group key={group.part} group={group} unit={unit} speaks={apart} context={context} />
      ))}
      <div className="pw-actions">
        <Actions unit={unit} context={context} />
      </div>
    </section>
  );
}

/** The next step, which stands out where it is for today. */
function NextStep({ step, phones, isNow }: { step: string; phones: string[]; isNow: boolean }) {
  const linked = <LinkedPhones phones={phones}>{step}</LinkedPhones>;
  return <p>{isNow ? <strong>{linked}</strong> : linked}</p>;
}

/**
 * The key of a state's name. A test that the shop took back has no problem while the shop decides about it: its buyer may have
 * asked for the refund.
 */
const stateName = (state: PresentedRequest["state"], needsDecision: boolean): string =>
  `state.${needsDecision && state === "needs_support" ? "deciding" : state}.name`;

/** Whether an invited patient holds other tests of the order, which this visit does not show (docs/decisions/0188). */
const isOneOfSeveral = ({ inOrder }: Pick<PresentedRequest, "inOrder">): boolean =>
  inOrder.of === null;

function Actions({ unit, context }: { unit: PresentedRequest; context: PageContext }) {
  const { id, state } = unit;
  const title = unitName(unit, words);
  const at = `${context.base}/requests/${id}`;
  if (unit.handOver)
    return unit.handOver.canTakeBack && unit.access.details === "granted" ? (
      <form method="post" action={`${at}/take-back`}>
        <input type="hidden" name={FORM_TOKEN} value={context.formToken} />
        <button type="submit" aria-label={words("hand_over.take_back_of", { title })}>
          {words("hand_over.take_back")}
        </button>
      </form>
    ) : null;
  if (unit.access.details !== "granted") {
    if (state === "awaiting_details")
      return <MailLink unit={unit} context={context} what="details" />;
    return unit.canCorrect ? <MailLink unit={unit} context={context} what="correction" /> : null;
  }
  return (
    <>
      {state === "awaiting_details" && (
        <Go first to={`${at}/details`} name="and_here.give" title={title} />
      )}
      {state === "awaiting_details" && unit.canHandOver && (
        <Go to={`${at}/hand-over`} name="and_here.hand_over" title={title} />
      )}
      {unit.canCorrect && <Go to={`${at}/details`} name="form.correct" title={title} />}
    </>
  );
}

/** The visitor's link does not open this: one that does comes by email. */
function MailLink({
  unit,
  context,
  what,
}: {
  unit: PresentedRequest;
  context: PageContext;
  what: "details" | "correction" | "form" | "results";
}) {
  return (
    <form method="post" action={`${context.base}/requests/${unit.id}/link`}>
      <input type="hidden" name={FORM_TOKEN} value={context.formToken} />
      <input type="hidden" name="for" value={what} />
      <button type="submit">
        {words(`link.mail_for.${what}`)}
        <span className="pw-hidden">: {unitName(unit, words)}</span>
      </button>
    </form>
  );
}

type Document = PresentedRequest["documents"][number];
type Groups = ReturnType<typeof groupsOf<PresentedRequest["state"], ReferralPart, Document>>;

/** Result and documents of a unit, or of the part of it that one referral is. */
function Group({
  group,
  unit,
  speaks,
  context,
}: {
  group: Groups[number];
  unit: PresentedRequest;
  /** Whether it says for itself where it stands. */
  speaks: boolean;
  context: PageContext;
}) {
  const { part, state } = group;
  const { access } = unit;
  const title = unitName(unit, words);
  const isOpen = { referral: access.form, result: access.results };
  const documents = group.documents.filter(({ kind }) => isOpen[kind] !== "other_purpose");
  // One link opens all that there is: results, with the form, before the form alone.
  const closed = closedPart(group, access);
  const resultId = access.results !== "other_purpose" ? group.resultId : null;
  if (!speaks && !resultId && documents.length === 0 && !closed) return null;
  const partName = part && words(`part.${part}`);
  const name = partName ? words("part.of", { title, part: partName }) : title;
  const buttons = (
    <div className="pw-actions">
      {resultId && (
        <Go
          first={state === "results_ready" || state === "partial_results"}
          to={`${context.base}/results/${resultId}`}
          name="result_link.see"
          title={name}
        />
      )}
      {documents.map((document) => (
        <a
          key={document.id}
          className={isFormTime(state, document) ? "pw-button pw-first" : "pw-button"}
          href={`${context.base}/documents/${document.id}`}
        >
          {isUsed(state, document) ? words("and_here.used_form") : documentName(document)}
          <span className="pw-hidden">: {name}</span>
        </a>
      ))}
      {closed && <MailLink unit={unit} context={context} what={closed} />}
    </div>
  );
  if (!partName) return buttons;
  return (
    <div className="pw-part">
      <div className="pw-top">
        <h3>{partName}</h3>
        {speaks && <span className="pw-badge">{words(stateName(state, unit.needsDecision))}</span>}
      </div>
      {speaks && (
        <NextStep
          step={group.nextStep ?? ""}
          phones={unit.phones}
          isNow={(group.part === null ? unit : group).isForToday === true}
        />
      )}
      {buttons}
    </div>
  );
}

/** Whether it is time to take the form to a collection centre: it can be used, and no result has come. */
const isFormTime = (state: Groups[number]["state"], { kind }: Document): boolean =>
  state === "form_ready" && kind === "referral";

/** States in which the laboratory has reported on the form. */
const REPORTED: ReadonlySet<Groups[number]["state"]> = new Set([
  ...(["partial_results", "in_review", "results_ready"] as const),
]);

/** Whether a sample was taken with the form: nobody is to go to a collection centre with it again. */
const isUsed = (state: Groups[number]["state"], { kind }: Document): boolean =>
  REPORTED.has(state) && kind === "referral";

/** Shows what there is of a group that the visitor's link does not open. */
function closedPart(
  { resultId, documents }: Groups[number],
  access: PresentedRequest["access"],
): "form" | "results" | null {
  if (access.results === "other_purpose" && resultId) return "results";
  const hasForm = documents.some(({ kind }) => kind === "referral");
  return access.form === "other_purpose" && hasForm ? "form" : null;
}

function Go({
  to,
  name,
  title,
  first = false,
}: {
  to: string;
  name: string;
  title: string;
  first?: boolean;
}) {
  return (
    <a className={first ? "pw-button pw-first" : "pw-button"} href={to}>
      {words(name)}
      <span className="pw-hidden">: {title}</span>
    </a>
  );
}

/** Names a document, with its version once there was another. */
export function documentName({
  kind,
  partial,
  version,
}: Pick<PresentedRequest["documents"][number], "kind" | "partial" | "version">): string {
  const key = kind === "result" && partial ? "partial_result" : kind;
  const name = words(`documents.${key}`);
  return version > 1 ? words("documents.version", { name, version }) : name;
}

const STEPS = ["details", "form", "collection", "results"] as const;

/** How many of the steps are done in each state; states that leave the road show none. */
const DONE: Partial<Record<PresentedRequest["state"], number>> = {
  awaiting_details: 0,
  being_prepared: 1,
  form_ready: 2,
  partial_results: 3,
  in_review: 3,
  results_ready: 4,
};

const STEP_CLASS = { done: "pw-done", now: "pw-now", later: undefined };

function Steps({ unit: { state } }: { unit: PresentedRequest }) {
  const done = DONE[state];
  if (done === undefined) return null;
  return (
    <ol className="pw-steps" aria-label={words("and_here.steps")}>
      {STEPS.map((step, index) => {
        const context = index < done ? "done" : index === done ? "now" : "later";
        return (
          <li
            key={step}
            className={STEP_CLASS[context]}
            aria-current={context === "now" ? "step" : undefined}
          >
            {words(`and_here.step.${step}`)}
            <small>{words(`and_here.step_${context}`)}</small>
          </li>
        );
      })}
    </ol>
  );
}
