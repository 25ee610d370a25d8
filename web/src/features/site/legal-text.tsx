import { useTitle } from '../../lib/hooks/use-title.ts';

type Section = readonly [title: string, text: string];

export function LegalText({ title, sections }: { title: string; sections: readonly Section[] }) {
  useTitle(title);
  return (
    <article className="prose">
      <h1>{title}</h1>
      {sections.map(([heading, text]) => (
        <section key={heading} className="stack">
          <h2>{heading}</h2>
          <p>{text}</p>
        </section>
      ))}
    </article>
  );
}
