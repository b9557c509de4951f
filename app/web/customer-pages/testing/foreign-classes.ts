import { STYLE } from "../style.ts";

/** The classes that the pages' style sheet names. */
export const STYLED = [...new Set(STYLE.match(/\.[a-z][\w-]*/g) ?? [])].map((one) => one.slice(1));

/** Classes of a page that a theme could style too, or that the pages' own style sheet does not know. */
export const foreignClasses = (markup: string): string[] =>
  [...markup.matchAll(/ class="([^"]*)"/g)]
    .flatMap(([, names = ""]) => names.split(" "))
    .filter((name) => !name.startsWith("pw-") || !STYLED.includes(name));
