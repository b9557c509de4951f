import { findGivenPerson, nameGivenPeople } from "../../modules/access/given-people.ts";
import {
  findSavedPatient,
  flatDetails,
  keepGivenPatient,
  markSavedPatientUsed,
  nameSavedPatients,
} from "../../modules/access/saved-patients.ts";
import { readUuid } from "../../modules/kernel/ids.ts";
import { isSamePerson } from "../../modules/patients/person-name.ts";
import { deleteSavedPatient } from "../../modules/privacy/delete-saved-patient.ts";
import type { Answer, Call } from "./call.ts";
import { messagePage, notFoundPage } from "./message-pages.tsx";
import {
  deleteSavedPage,
  type SavedChoice,
  savedName,
  savedPatientsPage,
} from "./saved-patients-page.tsx";

/** The saved patient, or the other test, whose details a form's address asks for; null without. */
const usedIn = ({ url }: Request): string | null =>
  readUuid(new URL(url).searchParams.get("use")) ?? null;

/** The people whose details can fill in the form: those of the account, then those of other tests of the order. */
export async function savedChoice(
  { ports, viewerScope, context, request, id, form }: Call,
  { offers }: { offers: boolean },
): Promise<SavedChoice> {
  const names = await nameSavedPatients(ports, viewerScope);
  const given = offers ? await nameGivenPeople(ports, { ...viewerScope, requestId: id }) : [];
  const saved = (names?.people ?? []).flatMap(({ id: one, person }) =>
    person ? [{ id: one, person }] : [],
  );
  const isNew = ({ person }: (typeof given)[number]) =>
    !saved.some((one) => isSamePerson(one.person, person));
  const used = usedIn(request);
  const who = new URL(request.url).searchParams.get("who");
  const at = `${context.base}/requests/${id}/details?${who ? `who=${who}&` : ""}use=`;
  const people = [...saved, ...given.filter(isNew)].map(({ id: one, person }) => ({
    id: one,
    name: savedName(person),
  }));
  return {
    people: offers ? people.map((one) => ({ ...one, href: `${at}${one.id}` })) : [],
    // Values that come back with faults were typed.
    filledFrom: (request.method !== "POST" && people.find((one) => one.id === used)?.name) || null,
    keeping: names && {
      retentionMonths: names.retentionMonths,
      isKept: form.get("keep") === "yes",
    },
  };
}

/** The details that the form's address asks for; null without, and for what is not the buyer's own. */
export async function chosenDetails({ ports, viewerScope, request, id: requestId }: Call) {
  const id = usedIn(request);
  if (!id) return null;
  const found =
    (await findSavedPatient(ports, { ...viewerScope, id })) ??
    (await findGivenPerson(ports, { ...viewerScope, requestId, from: id }));
  return found && flatDetails(found);
}

/** After details were accepted: keeps them for the next test, where that is ticked. Answers how the page says so. */
export async function keepForNextTest(call: Call): Promise<"saved" | "saved=kept" | "saved=full"> {
  const { ports, viewerScope, request, id, form } = call;
  const used = usedIn(request);
  if (used) await markSavedPatientUsed(ports, { ...viewerScope, id: used });
  if (form.get("keep") !== "yes") return "saved";
  const { kind } = await keepGivenPatient(ports, { ...viewerScope, requestId: id });
  return kind === "saved" ? "saved=kept" : kind === "too_many" ? "saved=full" : "saved";
}

/** Shows the people whose details a signed-in customer keeps. */
export async function showSaved({ ports, viewerScope, context }: Call): Answer {
  const names = await nameSavedPatients(ports, viewerScope);
  return names ? savedPatientsPage(names, context) : notFoundPage(context.base);
}

/** Asks before somebody's saved details are deleted. */
export async function showDeleteSaved({ ports, viewerScope, context, id }: Call): Answer {
  const names = await nameSavedPatients(ports, viewerScope);
  const found = names?.people.find((one) => one.id === id);
  return found ? deleteSavedPage(found.person, context) : notFoundPage(context.base);
}

/** Deletes a saved patient of the account. */
export async function deleteSaved({ ports, viewerScope, context, id }: Call): Answer {
  const isDone = await deleteSavedPatient(ports, { ...viewerScope, id });
  if (!isDone) return notFoundPage(context.base);
  return messagePage("saved_people.deleted", { back: `${context.base}/saved` });
}
