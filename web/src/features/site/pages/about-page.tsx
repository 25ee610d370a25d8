import { settings } from '../../../lib/settings.ts';
import { useTitle } from '../../../lib/use-title.ts';

export function AboutPage() {
  useTitle('About');
  const { product, company, address, email } = settings().operator;
  return (
    <article className="prose">
      <h1>About {product}</h1>
      <p>{product} is a one-of-a-kind tool that simplifies bulk and batch processing of spreadsheet data for a chat AI.</p>
      <p>
        It is made for people who have a spreadsheet and a question about every row of it. A run belongs to the server and not to
        a browser tab; a row is charged once and only when it is answered; what it will cost is said before, and what it has cost
        after.
      </p>
      <p>
        {product} is run by {company}, {address}. Write to us at <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </article>
  );
}
