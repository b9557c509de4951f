import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../docs/decisions/", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), "utf8");
const files = readdirSync(folder).filter((file) => /^\d{4}-.+\.md$/.test(file));

/** The relations that a status tells, and how the other decision tells the same. */
const OTHER_WAY: Record<string, string> = {
  Changes: "Changed by",
  "Changed by": "Changes",
  "Goes on in": "Goes on from",
  "Goes on from": "Goes on in",
};

interface Decision {
  file: string;
  title: string;
  status: string;
  /** "Changes 0018-….md", in the words of its status. */
  relations: string[];
}

const decisions = files.map((file): Decision => {
  const [heading = "", status = ""] = read(file).split("\n\n");
  const number = Number(file.slice(0, 4));
  const text = status.replaceAll("\n", " ");
  const found = text.matchAll(/([A-Z][a-z]+(?: [a-z]+)?) \[decision \d+\]\((\d{4}-[^)]+\.md)\)/g);
  return {
    file,
    title: heading.startsWith(`# ${number}. `) ? heading.slice(2) : "",
    status: text,
    relations: [...found].map(([, verb, other]) => `${verb} ${other}`),
  };
});

test("begins each decision with its number, its title, its status and its date", () => {
  const wrong = decisions.filter(
    ({ title, status }) =>
      title === "" || !/^Status: accepted, \d{1,2} [A-Z][a-z]{2} \d{4}\./.test(status),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test("lists each decision once in the index by subject, under its own title", () => {
  const listed = [...read("README.md").matchAll(/^- \[(.+)\]\((.+)\)$/gm)];
  const lines = listed.map(([, title, file]) => `${file} ${title}`);
  expect(lines.toSorted()).toEqual(decisions.map(({ file, title }) => `${file} ${title}`));
});

test("tells of a decision that another one changed in both", () => {
  const told = new Set(
    decisions.flatMap(({ file, relations }) => relations.map((one) => `${file} ${one}`)),
  );
  const oneSided = [...told].filter((relation) => {
    const [, from, verb = "", to] = /^(\S+) (.+) (\S+)$/.exec(relation) ?? [];
    return !told.has(`${to} ${OTHER_WAY[verb]} ${from}`);
  });
  expect(oneSided).toEqual([]);
  expect(told.size).toBeGreaterThan(20);
});
