import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';

/** Says honestly that a page is still being made, and where to go meanwhile. */
export function NotThereYetPage({ purpose }: { purpose: string }) {
  return (
    <section className="card">
      <h2>Not there yet</h2>
      <p>{purpose} This part of the product is still being made.</p>
      <p>
        <Link to={paths.root}>Back to the start</Link>
      </p>
    </section>
  );
}
