import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useTitle } from '../lib/use-title.ts';

export function NotFoundPage() {
  useTitle('Not found');
  return (
    <div className="narrow stack">
      <h1>There is nothing here</h1>
      <p>The address may be mistyped, or what was here is gone.</p>
      <div>
        <Link to={paths.root} className="button primary">
          Go to the start
        </Link>
      </div>
    </div>
  );
}
