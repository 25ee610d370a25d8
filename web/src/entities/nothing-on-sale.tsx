import { settings } from '../lib/settings.ts';
import { RichText } from '../ui/rich-text.tsx';

/** In place of an empty list of what can be bought: the operator's address. */
export function NothingOnSale({ title, text }: { title: string; text: string }) {
  const { email } = settings().operator;
  return (
    <section className="card">
      <h2>{title}</h2>
      <p>
        <RichText text={text} parts={{ email: <a href={`mailto:${email}`}>{email}</a> }} />
      </p>
    </section>
  );
}
