/** Words that say how a test came out. Each ends what a "not" before it denies. */
const STATE =
  "reactive|positive|pos|detected|detectable|present|isolated|grown|seen|identified|equivocal|indeterminate|inconclusive|borderline|presumptive";
/** "No growth detected": the second word is denied as the first is. */
const NOUN = "growth";
const DENIAL = "non|not|no|none|neither|nor|never|without|nil";

const WORDS = new RegExp(`\\b(?:${STATE}|${NOUN}|${DENIAL})\\b|(?<![\\w+])\\+ve\\b`, "gi");
const IS_DENIAL = new RegExp(`^(?:${DENIAL})$`, "i");
const IS_NOUN = new RegExp(`^(?:${NOUN})$`, "i");

/** Ends of the parts of a finding, which may say several things: "A not detected and B detected", "Reactive (not confirmed)". */
const CLAUSE_ENDS = /[,;:.()/\n–—]|\s-\s|\b(?:and|but|however|although)\b/i;

/**
 * Whether an answer in words says that something is there: "Weakly reactive", "Gram negative rods seen", "A DETECTED B NOT
 * DETECTED". A "not" denies what follows it, up to the next word that says how a test came out. "Negative" denies nothing:
 * it is an answer of its own, or part of a germ's name.
 */
export function isFinding(answer: string): boolean {
  return answer
    .replace(/\bnon\s*-\s*/gi, "non-")
    .split(CLAUSE_ENDS)
    .some((clause) => {
      let isDenied = false;
      for (const { 0: word, index } of clause.matchAll(WORDS)) {
        const rest = clause.slice(index + word.length);
        if (IS_DENIAL.test(word)) isDenied = true;
        else if (!isDenied) return true;
        else isDenied = IS_NOUN.test(word) || /^\s+n?or\b/i.test(rest);
      }
      return false;
    });
}

/** Words in the place of a value that could not be had, or that stands elsewhere. */
const NO_ANSWER =
  /\b(pending|awaiting|awaited|to follow|haemoly[sz]ed|hemoly[sz]ed|lipa?emic|icteric|clotted|insufficient|inadequate|unsuitable|unable|unlabelled|leak(ed|ing)|invalid|failed|cancell?ed|rejected|qns|tnp|tba|tbc|n\/a)\b|\b(see|refer to)\b.*\b(comments?|notes?|below|reports?|text|attached)\b|\bnot (yet )?(tested|performed|done|reported|available|received|calculated|measured|processed|provided)\b|\bno (result|sample|specimen)\b/i;

/** Whether no answer stands there: nothing, only signs, "Haemolysed – not reported", "See comment". */
export const saysNothing = (value: string): boolean =>
  !/[\p{L}\p{N}]/u.test(value) || NO_ANSWER.test(value);
