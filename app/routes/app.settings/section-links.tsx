import { anchorOf } from "../../components/form/settings-section.tsx";

/** On a phone the page is many screens long: the way to each of its sections, at its top. */
export function SectionLinks({ titles }: { titles: string[] }) {
  return (
    <nav className="pathway-tabs pathway-narrow-tabs" aria-label="Sections of the settings">
      {titles.map((title) => (
        <a key={title} href={`#${anchorOf(title)}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}
