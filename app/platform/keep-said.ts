type Json = Record<string, unknown>;

/**
 * Keeps what was read of an answer, with everything that was said beside it: fields that nobody read, and under `said` of the same object
 * those that read otherwise than they were said. `forNow`: fields that are not kept as they were said.
 */
export function keepSaid(read: unknown, said: unknown, forNow: readonly string[] = []): unknown {
  return keep(read, said, forNow).kept;
}

/** The fields of an object that `keepSaid` made, as they were said. */
export function asSaid(kept: unknown): unknown {
  if (!isObject(kept) || !isObject(kept.said)) return kept;
  const { said, ...read } = kept;
  return { ...read, ...said };
}

interface Kept {
  kept: unknown;
  /** Whether it says all that was said. */
  isAll: boolean;
}

function keep(read: unknown, said: unknown, forNow: readonly string[]): Kept {
  if (Array.isArray(read) && Array.isArray(said) && read.length === said.length) {
    const entries = read.map((entry, at) => keep(entry, said[at], forNow));
    return { kept: entries.map(({ kept }) => kept), isAll: entries.every(({ isAll }) => isAll) };
  }
  if (read === said || !isObject(read) || !isObject(said))
    return { kept: read, isAll: saysTheSame(read, said) };
  const known = Object.entries(read).map(
    ([name, value]) => [name, keep(value, said[name], forNow)] as const,
  );
  const others = known.filter(([name, { isAll }]) => !isAll && !forNow.includes(name));
  const otherwise = others.map(([name]) => [name, said[name]] as const);
  // A field of that name is the answer's own.
  if ("said" in said && !("said" in read)) otherwise.push(["said", said.said]);
  const kept = {
    ...said,
    ...Object.fromEntries(known.map(([name, one]) => [name, one.kept])),
    ...(otherwise.length > 0 && { said: Object.fromEntries(otherwise) }),
  };
  return { kept, isAll: true };
}

/** The same in another writing: a number as text, an id in capitals, yes or no as a word or a number. Nothing says nothing. */
function saysTheSame(read: unknown, said: unknown): boolean {
  if (read === said || isNothing(said)) return true;
  const [is, was] = [textOf(read), textOf(said)];
  if (is === null || was === null) return false;
  if (typeof read === "boolean") return (read ? YES : NO).test(was);
  return is === was || (GUID.test(was) && is === was.toLowerCase());
}

const YES = /^(?:true|1)$/i;
const NO = /^(?:false|0)$/i;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isNothing(said: unknown): boolean {
  if (said === undefined || said === null || said === "") return true;
  return typeof said === "object" && Object.keys(said).length === 0;
}

const textOf = (value: unknown): string | null =>
  ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
